package gateway

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"os"
	"sync"
	"time"
)

// Certificate is what the server shows to prove who it is.
type Certificate interface {
	// Current is the certificate to show now.
	Current(now time.Time) (*tls.Certificate, error)
	// Fingerprint is the SHA-256 of the current certificate in base64 if browsers must be told to trust it, else empty.
	Fingerprint(now time.Time) (string, error)
}

const (
	// selfSignedLife is how long a certificate of our own holds. Browsers accept one by its fingerprint only if that is no
	// more than 14 days.
	selfSignedLife = 13 * 24 * time.Hour

	// selfSignedRest is how long a certificate must still hold to be shown: a client that has its fingerprint uses it soon.
	selfSignedRest = 24 * time.Hour
)

// SelfSigned is a certificate of our own, which is replaced before it ends. It is for development: browsers accept it for
// WebTransport, by its fingerprint.
type SelfSigned struct {
	mu          sync.Mutex
	certificate *tls.Certificate
	ends        time.Time
}

// Current returns the certificate, a new one if the last is about to end.
func (s *SelfSigned) Current(now time.Time) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.certificate == nil || s.ends.Sub(now) < selfSignedRest {
		begins := now.Add(-time.Hour) // clients' clocks may be late
		ends := begins.Add(selfSignedLife)
		certificate, err := sign(begins, ends)
		if err != nil {
			return nil, fmt.Errorf("certificate of our own: %w", err)
		}
		s.certificate, s.ends = certificate, ends
	}
	return s.certificate, nil
}

// Fingerprint returns the SHA-256 of the certificate.
func (s *SelfSigned) Fingerprint(now time.Time) (string, error) {
	c, err := s.Current(now)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(c.Certificate[0])
	return base64.StdEncoding.EncodeToString(sum[:]), nil
}

func sign(begins, ends time.Time) (*tls.Certificate, error) {
	// Browsers take no other kind of key by fingerprint.
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "throng"},
		NotBefore:    begins,
		NotAfter:     ends,
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// Files is a certificate from files, which is read again when they change.
type Files struct {
	certificate, key string

	mu      sync.Mutex
	current *tls.Certificate
	read    time.Time // when the files were last looked at
	changed time.Time // when the certificate's had last been written then
}

// filesEvery is how often files are looked at, at most.
const filesEvery = time.Minute

// OpenFiles reads a certificate and its key.
func OpenFiles(certificate, key string) (*Files, error) {
	f := &Files{certificate: certificate, key: key}
	_, err := f.Current(time.Now())
	return f, err
}

// Current returns the certificate. If new files cannot be read, the last good ones hold.
func (f *Files) Current(now time.Time) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil && now.Sub(f.read) < filesEvery {
		return f.current, nil
	}
	f.read = now
	info, err := os.Stat(f.certificate)
	if err == nil && (f.current == nil || !info.ModTime().Equal(f.changed)) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(f.certificate, f.key); err == nil {
			f.current, f.changed = &pair, info.ModTime()
		}
	}
	if f.current != nil {
		return f.current, nil
	}
	return nil, err
}

// Fingerprint is empty: browsers know whom to ask about such a certificate.
func (*Files) Fingerprint(time.Time) (string, error) { return "", nil }

// tlsConfig shows a certificate to those who speak one of the protocols.
func tlsConfig(c Certificate, protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     protocols,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.Current(time.Now()) },
	}
}
