package account

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/golang-jwt/jwt/v5"
)

const (
	secretMin = 32   // bytes: as many as the hash of HS256 has
	rsaMin    = 2048 // bits
)

// keys are those that tokens may be signed with, and by which algorithms.
type keys struct {
	list []key
}

// key is one of them. Its kind decides which algorithms it is for.
type key struct {
	id         string
	algorithms []string
	value      any // for jwt: a secret's bytes, or a public key
}

// parseKeys reads a key set, or else a secret.
func parseKeys(text []byte) (*keys, error) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && text[0] == '{' {
		return parseSet(text)
	}
	if len(text) < secretMin {
		return nil, fmt.Errorf("a secret has at least %d bytes, such as those of openssl rand -base64 48", secretMin)
	}
	return &keys{[]key{{algorithms: []string{"HS256"}, value: text}}}, nil
}

// secret reports whether whoever checks could sign as well.
func (k *keys) secret() bool {
	_, secret := k.list[0].value.([]byte)
	return secret
}

// algorithms are all that there may be.
func (k *keys) algorithms() (list []string) {
	for _, one := range k.list {
		list = append(list, one.algorithms...)
	}
	return list
}

// find finds the key for a token. One that names no key is for the only one that there is.
func (k *keys) find(t *jwt.Token) (any, error) {
	id, _ := t.Header["kid"].(string)
	for _, one := range k.list {
		named := one.id == id || k.secret() || id == "" && len(k.list) == 1
		if named && slices.Contains(one.algorithms, t.Method.Alg()) {
			return one.value, nil
		}
	}
	return nil, errors.New("no key for it")
}

// webKey is a key as a key set has it.
type webKey struct {
	Type      string `json:"kty"`
	Use       string `json:"use"`
	ID        string `json:"kid"`
	Algorithm string `json:"alg"`
	Curve     string `json:"crv"`
	N         number `json:"n"`
	E         number `json:"e"`
	X         number `json:"x"`
	Y         number `json:"y"`
}

// number is bytes in base64, as key sets write them.
type number []byte

func (n *number) UnmarshalText(text []byte) (err error) {
	*n, err = base64.RawURLEncoding.DecodeString(string(bytes.TrimRight(text, "=")))
	return err
}

func (n number) int() *big.Int { return new(big.Int).SetBytes(n) }

func parseSet(text []byte) (*keys, error) {
	var set struct {
		Keys []webKey `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, fmt.Errorf("not a key set: %w", err)
	}
	k := &keys{}
	for i := range set.Keys {
		w := &set.Keys[i]
		if w.Use != "" && w.Use != "sig" {
			continue
		}
		value, algorithms, err := w.public()
		if err != nil {
			return nil, fmt.Errorf("key %d (%q): %w", i+1, w.ID, err)
		}
		if w.Algorithm != "" {
			if !slices.Contains(algorithms, w.Algorithm) {
				return nil, fmt.Errorf("key %d (%q) is not one for %s", i+1, w.ID, w.Algorithm)
			}
			algorithms = []string{w.Algorithm}
		}
		k.list = append(k.list, key{w.ID, algorithms, value})
	}
	if len(k.list) == 0 {
		return nil, errors.New("the key set has no key to check signatures with")
	}
	return k, nil
}

// public is the public key, and what it may be used by.
func (w *webKey) public() (value any, algorithms []string, err error) {
	switch w.Type {
	case "RSA":
		p := &rsa.PublicKey{N: w.N.int(), E: int(w.E.int().Int64())}
		if p.N.BitLen() < rsaMin || len(w.E) > 4 || p.E < 3 || p.E%2 == 0 {
			return nil, nil, fmt.Errorf("an RSA key has at least %d bits, and an exponent", rsaMin)
		}
		return p, []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, nil
	case "EC":
		return w.point()
	case "OKP":
		if w.Curve != "Ed25519" || len(w.X) != ed25519.PublicKeySize {
			return nil, nil, errors.New("only Ed25519 will do")
		}
		return ed25519.PublicKey(w.X), []string{"EdDSA"}, nil
	case "oct":
		return nil, nil, errors.New("a secret has no place in a key set: put it into a file by itself")
	}
	return nil, nil, fmt.Errorf("kty %q is not known", w.Type)
}

// point is a public key on an elliptic curve.
func (w *webKey) point() (any, []string, error) {
	for _, c := range []struct {
		curve     elliptic.Curve
		name      string
		algorithm string
	}{
		{elliptic.P256(), "P-256", "ES256"}, {elliptic.P384(), "P-384", "ES384"}, {elliptic.P521(), "P-521", "ES512"},
	} {
		if c.name != w.Curve {
			continue
		}
		size := (c.curve.Params().BitSize + 7) / 8
		if len(w.X) > size || len(w.Y) > size {
			break
		}
		// The uncompressed form, which is checked to be on the curve.
		point := make([]byte, 1+2*size)
		point[0] = 4
		copy(point[1+size-len(w.X):], w.X)
		copy(point[1+2*size-len(w.Y):], w.Y)
		p, err := ecdsa.ParseUncompressedPublicKey(c.curve, point)
		if err != nil {
			return nil, nil, errors.New("the point is not on the curve")
		}
		return p, []string{c.algorithm}, nil
	}
	return nil, nil, fmt.Errorf("no point of P-256, P-384 or P-521, but of %q", w.Curve)
}
