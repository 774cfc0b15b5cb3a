// Package socket is what lies beneath the WebSockets of servers and of many clients in one process, which both hold thousands
// of connections: sockets that are read from and written to without waiting, a poller that watches many of them on one
// goroutine, and the frames that come and go. Handshakes are made elsewhere.
package socket
