package cluster

import (
	"net"
	"strings"
)

// Scheme begins the URLs by which processes join.
const Scheme = "throng://"

// AddressError is a mistake in what a process is to join by: what is wrong with it.
type AddressError string

func (e AddressError) Error() string { return string(e) }

const form = "it wants the form " + Scheme + "TOKEN@HOST:PORT,HOST:PORT"

// parseURL reads a URL such as throng://token@10.0.0.1:4222,10.0.0.2:4222.
func parseURL(text string) (token string, addresses []string, err error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), Scheme)
	token, list, found := strings.Cut(strings.TrimSuffix(rest, "/"), "@")
	if !ok || !found || token == "" {
		return "", nil, AddressError("not a URL of a world; " + form)
	}
	for _, a := range strings.Split(list, ",") {
		if _, _, err := net.SplitHostPort(a); err != nil {
			return "", nil, AddressError(a + " is no address; " + form)
		}
		addresses = append(addresses, a)
	}
	return token, addresses, nil
}

// JoinURL is what further processes need: the token, and where to find those that there are.
func (k *Cluster) JoinURL() string {
	return Scheme + k.mesh.token + "@" + strings.Join(k.mesh.addresses(), ",")
}

// SecretURL is JoinURL.
func (k *Cluster) SecretURL() string { return k.JoinURL() }
