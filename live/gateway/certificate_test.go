package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOwnCertificateIsOneThatBrowsersTakeByFingerprint(t *testing.T) {
	var s SelfSigned
	now := time.Now()
	c, err := s.Current(now)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if life := leaf.NotAfter.Sub(leaf.NotBefore); life > 14*24*time.Hour {
		t.Errorf("holds for %v", life)
	}
	if leaf.PublicKeyAlgorithm != x509.ECDSA || leaf.NotBefore.After(now) || leaf.VerifyHostname("127.0.0.1") != nil {
		t.Errorf("%+v", leaf)
	}
}

func TestOwnCertificateIsReplacedInTime(t *testing.T) {
	var s SelfSigned
	now := time.Now()
	first, _ := s.Fingerprint(now)
	if again, _ := s.Fingerprint(now.Add(10 * 24 * time.Hour)); again != first {
		t.Error("replaced too early")
	}
	later := now.Add(12 * 24 * time.Hour)
	second, _ := s.Fingerprint(later)
	c, err := s.Current(later)
	if err != nil || second == first {
		t.Fatal("not replaced", err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil || leaf.NotAfter.Before(later.Add(selfSignedRest)) {
		t.Errorf("ends %v: %v", leaf.NotAfter, err)
	}
}

// writeFiles writes a new certificate and returns it.
func writeFiles(t *testing.T, certificate, key string) *tls.Certificate {
	t.Helper()
	c, err := sign(time.Now(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		certificate: {Type: "CERTIFICATE", Bytes: c.Certificate[0]}, key: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestFilesAreReadAgainWhenTheyChange(t *testing.T) {
	certificate, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	if _, err := OpenFiles(certificate, key); err == nil {
		t.Error("opened files that are not there")
	}
	first := writeFiles(t, certificate, key)
	f, err := OpenFiles(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	same := func(want *tls.Certificate) bool {
		got, err := f.Current(now)
		return err == nil && string(got.Certificate[0]) == string(want.Certificate[0])
	}
	second := writeFiles(t, certificate, key)
	if err := os.Chtimes(certificate, now, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !same(first) {
		t.Error("the files are looked at all the time")
	}
	now = now.Add(2 * filesEvery)
	if !same(second) {
		t.Error("the new certificate is not used")
	}
	if err := os.WriteFile(certificate, []byte("half written"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * filesEvery)
	if !same(second) {
		t.Error("the last good certificate does not hold")
	}
	if text, err := f.Fingerprint(now); text != "" || err != nil {
		t.Errorf("browsers are told to trust %q: %v", text, err)
	}
}
