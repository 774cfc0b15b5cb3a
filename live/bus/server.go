package bus

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// readyTime is how long the embedded server may take to start listening.
const readyTime = 10 * time.Second

// embedded is a NATS server in this process.
type embedded struct {
	nats  *server.Server
	token string // whoever has it may connect
}

// listen starts an embedded server.
func listen(address string, log *slog.Logger) (*embedded, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	options := &server.Options{
		ServerName:     "throng",
		Host:           host,
		Port:           port,
		Authorization:  token,
		NoSigs:         true, // signals are the program's
		NoSublistCache: true, // subscriptions come and go with people
		MaxPayload:     messageMax,
	}
	if encrypted(host) {
		certificate, pin, err := selfSigned()
		if err != nil {
			return nil, fmt.Errorf("bus: %w", err)
		}
		token += pinMark + pin
		options.Authorization = token
		options.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{certificate}}
		options.TLSTimeout = connectTime.Seconds()
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("bus: %w", err)
	}
	fatal := make(chan string, 1)
	s.SetLogger(&serverLog{log, fatal}, false, false)
	ready := make(chan bool, 1)
	go s.Start()
	go func() { ready <- s.ReadyForConnections(readyTime) }()
	select {
	case text := <-fatal:
		err = errors.New(text)
	case ok := <-ready:
		if ok {
			return &embedded{s, token}, nil
		}
		err = fmt.Errorf("not ready after %v", readyTime)
	}
	s.Shutdown()
	return nil, fmt.Errorf("cannot run a bus on %s: %w", address, err)
}

// splitAddress takes host and port apart; NATS means any free port by -1.
func splitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, addressErrorf("%q is no address for a bus to listen on; it wants the form 127.0.0.1:4222", address)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// url is where others find the server, with the token.
func (e *embedded) url() *url.URL {
	host, port, err := net.SplitHostPort(e.nats.Addr().String())
	if err != nil {
		panic(err) // it is a TCP address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return &url.URL{Scheme: "nats", User: url.User(e.token), Host: net.JoinHostPort(host, port)}
}

func (e *embedded) close() {
	e.nats.Shutdown()
	e.nats.WaitForShutdown()
}

// serverLog has NATS write to our log. What it has to say in ordinary times is of use only to who looks for a fault.
type serverLog struct {
	log   *slog.Logger
	fatal chan<- string
}

func (l *serverLog) write(level slog.Level, format string, args []any) {
	l.log.Log(context.Background(), level, "nats: "+strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (l *serverLog) Noticef(format string, args ...any) { l.write(slog.LevelDebug, format, args) }
func (l *serverLog) Warnf(format string, args ...any)   { l.write(slog.LevelWarn, format, args) }
func (l *serverLog) Errorf(format string, args ...any)  { l.write(slog.LevelWarn, format, args) }
func (l *serverLog) Debugf(string, ...any)              {}
func (l *serverLog) Tracef(string, ...any)              {}

// Fatalf is told why the server cannot run.
func (l *serverLog) Fatalf(format string, args ...any) {
	select {
	case l.fatal <- fmt.Sprintf(format, args...):
	default:
	}
}
