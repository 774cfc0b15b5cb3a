package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"path/filepath"
	"testing"

	"github.com/lxzan/gws"
)

// Under TLS clients are written to in another way: nothing about it shows.
func TestRealCertificateServesHTTPS(t *testing.T) {
	certificate, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	pair := writeFiles(t, certificate, key)
	files, err := OpenFiles(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, func(c *Config) { c.Certificate = files })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- s.Serve(l) }()

	roots := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(leaf)
	g := &guest{frames: make(chan []byte, framesMax)}
	g.conn, _, err = gws.NewClient(g, &gws.ClientOption{
		Addr: "wss://" + l.Addr().String() + "/ws", TlsConfig: &tls.Config{RootCAs: roots},
	})
	if err != nil {
		t.Fatal(err)
	}
	go g.conn.ReadLoop()
	g.hello(t, s.join(t, "Ada").Token, true)
	for range 10 {
		g.send(t, dataFrame(officeID, "echo"))
		g.datagram(t)
	}

	done := make(chan error)
	go func() { done <- s.Close(t.Context(), "over") }()
	if reason := g.goodbye(t); reason != "over" {
		t.Errorf("goodbye: %q", reason)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
