package bus

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"time"
)

// pinMark stands in a token between what is secret and the fingerprint of the server's certificate. Whoever has the token thus
// knows the server, and needs no authority to vouch for it.
const pinMark = "."

// encrypted reports whether a server that listens on a host encrypts what others say to it: unless they are on this machine.
func encrypted(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !ip.Unmap().IsLoopback())
}

// selfSigned makes a certificate for as long as a server may run, and its fingerprint.
func selfSigned() (c tls.Certificate, pin string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		DNSNames:     []string{"throng"},
		NotBefore:    time.Now().Add(-24 * time.Hour), // clocks differ
		NotAfter:     time.Now().AddDate(10, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return c, "", err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, fingerprint(der), nil
}

func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

var errPin = errors.New("the server has another certificate than the one that the token names")

// pinned is how to connect to the server that a token is for; nil if the token names no certificate.
func pinned(token string) *tls.Config {
	_, pin, ok := strings.Cut(token, pinMark)
	if !ok {
		return nil
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // it is no authority that vouches for the certificate but the token
		VerifyConnection: func(s tls.ConnectionState) error {
			got := fingerprint(s.PeerCertificates[0].Raw)
			if subtle.ConstantTimeCompare([]byte(got), []byte(pin)) != 1 {
				return errPin
			}
			return nil
		},
	}
}
