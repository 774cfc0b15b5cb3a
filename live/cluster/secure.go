package cluster

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"net/netip"
	"os"
	"time"
)

// secure encrypts what processes on different machines say to one another. Both sides prove that they have the token: the key of
// their certificates is made from it.
type secure struct{ config *tls.Config }

var errKey = errors.New("cluster: the other side does not have the token")

func newSecure(token string) *secure {
	seed := sha256.Sum256([]byte("throng cluster\n" + token))
	key := ed25519.NewKeyFromSeed(seed[:])
	public := key.Public().(ed25519.PublicKey)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-24 * time.Hour), // clocks differ
		NotAfter:     time.Now().AddDate(10, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, key)
	if err != nil {
		panic(err) // it depends on nothing
	}
	return &secure{&tls.Config{
		MinVersion:         tls.VersionTLS13,
		Certificates:       []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		ClientAuth:         tls.RequireAnyClientCert,
		InsecureSkipVerify: true, // it is no authority that vouches for the certificate but the token
		VerifyConnection: func(s tls.ConnectionState) error {
			theirs, ok := s.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
			if !ok || subtle.ConstantTimeCompare(theirs, public) != 1 {
				return errKey
			}
			return nil
		},
	}}
}

func (s *secure) server(c net.Conn) net.Conn { return tls.Server(c, s.config) }
func (s *secure) client(c net.Conn) net.Conn { return tls.Client(c, s.config) }

// onThisMachine reports whether an address is one that only this machine can reach.
func onThisMachine(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// advertised is where others reach a listener: one that listens everywhere is known by the machine's name.
func advertised(at net.Addr) string {
	ap, err := netip.ParseAddrPort(at.String())
	if err != nil || !ap.Addr().IsUnspecified() {
		return at.String()
	}
	name, err := os.Hostname()
	if err != nil {
		return at.String()
	}
	_, port, _ := net.SplitHostPort(at.String())
	return net.JoinHostPort(name, port)
}
