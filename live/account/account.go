// Package account says whose account a client shows, so that a game's own accounts get in and come back as themselves.
//
// A client shows a JSON Web Token (RFC 7519) that the game's site has signed, with a secret that both know (HS256) or with a private key
// whose public half is in a key set (RFC 7517). Which algorithms there may be follows from the keys here, never from the token: a
// public key is not taken for a secret, and a token without a signature is none.
package account

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Account is whose token it is.
type Account struct {
	ID   string // the subject
	Name string // what it is called; empty if the token does not say
}

const (
	// SizeMax is how many bytes a token may have.
	SizeMax = 8 << 10

	// idMax is how many bytes an account's ID may have.
	idMax = 255

	// leeway is how much the clocks of whoever signs and of whoever checks may differ.
	leeway = 30 * time.Second

	// lookEvery is how often a file is looked at for other keys.
	lookEvery = time.Minute
)

// What may be wrong with a token, as its owner is told.
var (
	ErrMissing = errors.New("this world is for accounts: sign in where you have one")
	ErrInvalid = errors.New("the account's token is not valid here")
	ErrExpired = errors.New("the account's token has expired: sign in again")
)

// Config says whose tokens count.
type Config struct {
	File     string // with the secret or the key set
	Audience string // whom tokens must be meant for; empty for anybody, which a key set does not allow
	Issuer   string // who must have issued them; empty for anybody who has the key
}

// Verifier checks tokens.
type Verifier struct {
	config Config
	now    func() time.Time

	mu     sync.Mutex
	keys   *keys
	stamp  time.Time // of the file
	looked time.Time // when it was last looked at
}

// Open reads the keys.
func Open(c Config) (*Verifier, error) {
	v := &Verifier{config: c, now: time.Now}
	if err := v.read(); err != nil {
		return nil, err
	}
	if !v.keys.secret() && c.Audience == "" {
		return nil, errors.New("a key set needs an audience too: else what its owner has signed for other programs would count here")
	}
	return v, nil
}

// read reads the file.
func (v *Verifier) read() error {
	info, err := os.Stat(v.config.File)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(v.config.File)
	if err != nil {
		return err
	}
	k, err := parseKeys(text)
	if err != nil {
		return err
	}
	if v.keys != nil && v.keys.secret() != k.secret() {
		return errors.New("a key set does not become a secret while the server runs, nor a secret a key set")
	}
	v.keys, v.stamp, v.looked = k, info.ModTime(), v.now()
	return nil
}

// current are the keys of now. Where the file has changed into something that cannot be used, those before stay.
func (v *Verifier) current() *keys {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now := v.now(); now.Sub(v.looked) >= lookEvery {
		v.looked = now
		if info, err := os.Stat(v.config.File); err == nil && !info.ModTime().Equal(v.stamp) {
			v.read()
		}
	}
	return v.keys
}

// claims are what a token says.
type claims struct {
	jwt.RegisteredClaims
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
	Nickname string `json:"nickname"`
}

// Verify says whose token it is. The error says to its owner what is wrong with it, and not more.
func (v *Verifier) Verify(token string) (Account, error) {
	switch {
	case token == "":
		return Account{}, ErrMissing
	case len(token) > SizeMax:
		return Account{}, ErrInvalid
	}
	k := v.current()
	options := []jwt.ParserOption{
		jwt.WithValidMethods(k.algorithms()), jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(v.now),
	}
	if v.config.Audience != "" {
		options = append(options, jwt.WithAudience(v.config.Audience))
	}
	if v.config.Issuer != "" {
		options = append(options, jwt.WithIssuer(v.config.Issuer))
	}
	var c claims
	if _, err := jwt.ParseWithClaims(token, &c, k.find, options...); errors.Is(err, jwt.ErrTokenExpired) {
		return Account{}, ErrExpired
	} else if err != nil {
		return Account{}, ErrInvalid
	}
	if c.Subject == "" || len(c.Subject) > idMax {
		return Account{}, fmt.Errorf("%w: it names nobody", ErrInvalid)
	}
	a := Account{ID: c.Subject, Name: c.Name}
	for _, name := range []string{c.Username, c.Nickname} {
		if a.Name == "" {
			a.Name = name
		}
	}
	return a, nil
}
