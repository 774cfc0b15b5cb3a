//go:build !js

package app

import (
	"fmt"
	"net"
	"net/url"
	"strconv"

	"throng/lab/experiment"
	"throng/live/account"
	"throng/live/gateway"
)

// validate checks what only all settings together can say.
func (s *serving) validate() error {
	if (s.Cert == "") != (s.Key == "") {
		return &experiment.UserError{Where: s.from["cert"] + s.from["key"], Message: "a certificate needs its key, and a key its certificate"}
	}
	if err := s.checkPlaces(); err != nil {
		return err
	}
	if err := s.checkDirect(); err != nil {
		return err
	}
	if err := s.checkOperators(); err != nil {
		return err
	}
	var err error
	if s.accounts, err = s.openAccounts(); err != nil {
		return err
	}
	if s.pageFiles, err = s.openPage(); err != nil {
		return err
	}
	if err := s.checkWorld(); err != nil {
		return err
	}
	if err := s.checkReplicas(); err != nil {
		return err
	}
	return s.checkJoin()
}

// checkWorld checks what is played, and under what mechanism.
func (s *serving) checkWorld() error {
	seed, err := strconv.ParseUint(s.Seed, 10, 64)
	if err != nil {
		return &experiment.UserError{Where: s.from["seed"], Message: fmt.Sprintf("%q is not a whole number", s.Seed)}
	}
	s.seed = seed
	w, err := s.world.Build()
	if err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	m, err := s.mechanism.Build()
	if err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if len(m.Places(w)) == 0 {
		return &experiment.UserError{Where: s.from["world."+populationOf(s.world.Config)], Message: fmt.Sprintf("under %s nobody could ever join: there is no server, and nobody else to learn of the world from", s.Mechanism)}
	}
	return nil
}

// checkPlaces checks that the address to listen on and the sites whose pages may connect are some. Whether the address is free
// is found out later.
func (s *serving) checkPlaces() error {
	if !isAddress(s.Listen) {
		return &experiment.UserError{Where: s.from["listen"], Message: fmt.Sprintf("%q is not an address such as 127.0.0.1:8080 or :8080", s.Listen)}
	}
	if s.Public != "" && !isSite(s.Public) {
		return &experiment.UserError{Where: s.from["public"], Message: fmt.Sprintf("%q is not a site such as https://example.org", s.Public)}
	}
	for _, site := range s.Origin {
		if site != "*" && !isSite(site) {
			return &experiment.UserError{Where: s.from["origin"], Message: fmt.Sprintf("%q is not a site such as https://example.org, nor *", site)}
		}
	}
	return nil
}

// isSite reports whether a text is what a browser calls an origin.
func isSite(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && text == u.Scheme+"://"+u.Host
}

// openAccounts finds out whose accounts get in; nil for anybody's.
func (s *serving) openAccounts() (gateway.Accounts, error) {
	if s.Auth == "" {
		if s.AuthAudience+s.AuthIssuer != "" {
			return nil, &experiment.UserError{Where: s.from["auth-audience"] + s.from["auth-issuer"], Message: "says something about accounts' tokens, which nobody is asked for without --auth"}
		}
		return nil, nil
	}
	v, err := account.Open(account.Config{File: s.Auth, Audience: s.AuthAudience, Issuer: s.AuthIssuer})
	if err != nil {
		return nil, &experiment.UserError{Where: s.from["auth"], Message: s.Auth + ": " + reason(err)}
	}
	return v, nil
}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err == nil
}
