package bus

import (
	"net"
	"net/url"
	"strings"
	"testing"
)

// A server that other machines can reach talks to nobody in the clear, and only those who have the right token to the right server.
func TestBusBetweenMachinesIsEncrypted(t *testing.T) {
	s, err := listen("0.0.0.0:0", quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	_, port, err := net.SplitHostPort(s.nats.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	at := func(token string) *url.URL {
		return &url.URL{Scheme: "nats", User: url.User(token), Host: "127.0.0.1:" + port}
	}
	secret, pin, _ := strings.Cut(s.token, pinMark)
	if len(pin) != 64 {
		t.Fatalf("the token names the certificate %q", pin)
	}
	nc, err := connect(at(s.token), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nc.TLSConnectionState(); err != nil {
		t.Error("not encrypted:", err)
	}
	nc.Close()
	for name, token := range map[string]string{
		"without the certificate": secret,
		"another certificate":     secret + pinMark + strings.Repeat("0", 64),
		"another secret":          "x" + pinMark + pin,
	} {
		if nc, err := connect(at(token), nil, quiet); err == nil {
			nc.Close()
			t.Errorf("%s: connected", name)
		}
	}
}

func TestBusOnThisMachineIsNot(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": false, "::1": false, "localhost": false, "0.0.0.0": true, "": true, "192.0.2.1": true, "play.example": true} {
		if encrypted(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}
