package account

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

const secret = "a secret that is long enough for HS256"

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, c Config, text string) *Verifier {
	t.Helper()
	c.File = file(t, text)
	v, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	v.now, v.looked = func() time.Time { return now }, now
	return v
}

// sign makes a token.
func sign(t *testing.T, m jwt.SigningMethod, key any, kid string, c jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(m, c)
	if kid != "" {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ada is what a good token says, but for changes; nil takes a claim away.
func ada(changes jwt.MapClaims) jwt.MapClaims {
	c := jwt.MapClaims{"sub": "ada-1", "name": "Ada", "exp": now.Add(time.Hour).Unix(), "aud": "arena", "iss": "https://game.example"}
	for k, v := range changes {
		if c[k] = v; v == nil {
			delete(c, k)
		}
	}
	return c
}

func TestSecret(t *testing.T) {
	v := open(t, Config{Audience: "arena", Issuer: "https://game.example"}, secret+"\n")
	for _, c := range []struct {
		name    string
		changes jwt.MapClaims
		want    error
		who     Account
	}{
		{"good", nil, nil, Account{"ada-1", "Ada"}},
		{"several audiences", jwt.MapClaims{"aud": []string{"shop", "arena"}}, nil, Account{"ada-1", "Ada"}},
		{"name by another claim", jwt.MapClaims{"name": nil, "preferred_username": "ada"}, nil, Account{"ada-1", "ada"}},
		{"no name", jwt.MapClaims{"name": nil}, nil, Account{"ada-1", ""}},
		{"expired just now", jwt.MapClaims{"exp": now.Add(-leeway / 2).Unix()}, nil, Account{"ada-1", "Ada"}},
		{"expired", jwt.MapClaims{"exp": now.Add(-2 * leeway).Unix()}, ErrExpired, Account{}},
		{"without an end", jwt.MapClaims{"exp": nil}, ErrInvalid, Account{}},
		{"not yet", jwt.MapClaims{"nbf": now.Add(time.Hour).Unix()}, ErrInvalid, Account{}},
		{"issued in the future", jwt.MapClaims{"iat": now.Add(time.Hour).Unix()}, ErrInvalid, Account{}},
		{"for others", jwt.MapClaims{"aud": "shop"}, ErrInvalid, Account{}},
		{"for nobody", jwt.MapClaims{"aud": nil}, ErrInvalid, Account{}},
		{"by others", jwt.MapClaims{"iss": "https://evil.example"}, ErrInvalid, Account{}},
		{"by nobody", jwt.MapClaims{"iss": nil}, ErrInvalid, Account{}},
		{"nobody's", jwt.MapClaims{"sub": nil}, ErrInvalid, Account{}},
		{"endless name", jwt.MapClaims{"sub": strings.Repeat("x", idMax+1)}, ErrInvalid, Account{}},
	} {
		got, err := v.Verify(sign(t, jwt.SigningMethodHS256, []byte(secret), "", ada(c.changes)))
		if !errors.Is(err, c.want) || got != c.who {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	good := sign(t, jwt.SigningMethodHS256, []byte(secret), "", ada(nil))
	for name, token := range map[string]string{
		"another secret":    sign(t, jwt.SigningMethodHS256, []byte(secret+"!"), "", ada(nil)),
		"another algorithm": sign(t, jwt.SigningMethodHS512, []byte(secret), "", ada(nil)),
		"no signature":      sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "", ada(nil)),
		"cut off":           good[:len(good)-4],
		"no token":          "Ada",
		"too long":          good + strings.Repeat("A", SizeMax),
	} {
		if who, err := v.Verify(token); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	if _, err := v.Verify(""); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}

// base is bytes as key sets have them.
func base(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// pairs are keys of all kinds: their private halves, and what a key set says of them.
func pairs(t *testing.T) (private map[string]crypto.Signer, set []map[string]string) {
	t.Helper()
	r, err := rsa.GenerateKey(rand.Reader, rsaMin)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := e.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	p, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"r": r, "e": e, "o": ed}, []map[string]string{
		{"kty": "RSA", "kid": "r", "use": "sig", "n": base(r.N.Bytes()), "e": base(big.NewInt(int64(r.E)).Bytes())},
		{"kty": "EC", "kid": "e", "crv": "P-256", "alg": "ES256", "x": base(point[1:33]), "y": base(point[33:])},
		{"kty": "OKP", "kid": "o", "crv": "Ed25519", "x": base(p)},
		{"kty": "whatever", "kid": "other", "use": "enc"},
	}
}

func text(t *testing.T, set ...map[string]string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"keys": set})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestKeySet(t *testing.T) {
	private, set := pairs(t)
	v := open(t, Config{Audience: "arena"}, text(t, set...))
	for name, token := range map[string]string{
		"RSA":     sign(t, jwt.SigningMethodRS256, private["r"], "r", ada(nil)),
		"RSA-PSS": sign(t, jwt.SigningMethodPS384, private["r"], "r", ada(nil)),
		"EC":      sign(t, jwt.SigningMethodES256, private["e"], "e", ada(nil)),
		"Ed25519": sign(t, jwt.SigningMethodEdDSA, private["o"], "o", ada(nil)),
	} {
		if who, err := v.Verify(token); err != nil || who.ID != "ada-1" {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	modulus, err := base64.RawURLEncoding.DecodeString(set[0]["n"])
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"a public key for a secret": sign(t, jwt.SigningMethodHS256, modulus, "r", ada(nil)),
		"no signature":              sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "r", ada(nil)),
		"another's key":             sign(t, jwt.SigningMethodES256, private["e"], "r", ada(nil)),
		"a key that is not known":   sign(t, jwt.SigningMethodES256, private["e"], "x", ada(nil)),
		"which of them":             sign(t, jwt.SigningMethodES256, private["e"], "", ada(nil)),
		"for others":                sign(t, jwt.SigningMethodES256, private["e"], "e", ada(jwt.MapClaims{"aud": "shop"})),
	} {
		if who, err := v.Verify(token); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	// What one key may be used by another may not.
	strict := maps.Clone(set[0])
	strict["kid"], strict["alg"] = "strict", "RS256"
	both := open(t, Config{Audience: "arena"}, text(t, strict, set[0]))
	if _, err := both.Verify(sign(t, jwt.SigningMethodPS256, private["r"], "strict", ada(nil))); !errors.Is(err, ErrInvalid) {
		t.Errorf("another algorithm than the key's: %v", err)
	}
	alone := open(t, Config{Audience: "arena"}, text(t, set[1]))
	if _, err := alone.Verify(sign(t, jwt.SigningMethodES256, private["e"], "", ada(nil))); err != nil {
		t.Errorf("the only key: %v", err)
	}
}

// Keys are exchanged while the server runs. What cannot be used changes nothing.
func TestKeysAreExchanged(t *testing.T) {
	private, set := pairs(t)
	v := open(t, Config{Audience: "arena"}, text(t, set[1]))
	clock := now
	v.now = func() time.Time { return clock }
	write := func(content string) {
		t.Helper()
		clock = clock.Add(lookEvery)
		if err := os.WriteFile(v.config.File, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(v.config.File, clock, clock); err != nil {
			t.Fatal(err)
		}
	}
	old := sign(t, jwt.SigningMethodES256, private["e"], "e", ada(nil))
	fresh := sign(t, jwt.SigningMethodEdDSA, private["o"], "o", ada(nil))
	for _, broken := range []string{"{", secret} {
		write(broken)
		if _, err := v.Verify(old); err != nil {
			t.Errorf("after %q: %v", broken, err)
		}
	}
	write(text(t, set[2]))
	if _, err := v.Verify(fresh); err != nil {
		t.Error(err)
	}
	if _, err := v.Verify(old); err == nil {
		t.Error("the old key still counts")
	}
}

func TestFilesThatWillNotDo(t *testing.T) {
	_, set := pairs(t)
	change := func(i int, key, value string) string {
		m := map[string]string{}
		for k, v := range set[i] {
			m[k] = v
		}
		m[key] = value
		return text(t, m)
	}
	for want, content := range map[string]string{
		"at least 32 bytes":      "short",
		"not a key set":          "{]",
		"no key to check":        `{"keys":[]}`,
		"a secret has no place":  text(t, map[string]string{"kty": "oct", "k": base([]byte(secret))}),
		"at least 2048 bits":     change(0, "n", base(make([]byte, 255))),
		"not on the curve":       change(1, "y", base(make([]byte, 32))),
		`but of "P-1"`:           change(1, "crv", "P-1"),
		"only Ed25519":           change(2, "x", "AAAA"),
		`is not one for HS256`:   change(0, "alg", "HS256"),
		`kty "dsa" is not known`: change(0, "kty", "dsa"),
		"needs an audience":      text(t, set...),
	} {
		if _, err := Open(Config{File: file(t, content)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
