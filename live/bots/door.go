package bots

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"throng/live/direct"
)

// door is where users ask for their seats.
type door struct {
	url    string
	socket string // where WebSockets are opened, if the server does not say
	header http.Header
	client http.Client
}

// seat is what a user gets.
type seat struct {
	Token     string `json:"token"`
	WebSocket string `json:"websocket"`

	Gateways []string `json:"gateways"` // where the token is good too

	Direct *struct { // how users may connect to each other; nil if they may not
		Servers []direct.Server `json:"servers"`
	} `json:"direct"`
}

const doorTimeout = 10 * time.Second

// newDoor returns the door of a server at which several may ask at once.
func newDoor(c *Config, atOnce int) (*door, error) {
	address, err := url.JoinPath(c.URL, "api", "join")
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = atOnce
	if c.Dial != nil {
		transport.DialContext = c.Dial
	}
	return &door{
		url:    address,
		socket: "ws" + strings.TrimPrefix(c.URL, "http") + "/ws",
		header: c.header(),
		client: http.Client{Transport: transport, Timeout: doorTimeout},
	}, nil
}

// ask asks for a seat.
func (d *door) ask(ctx context.Context, number int) (seat, error) {
	body, err := json.Marshal(map[string]string{"name": fmt.Sprintf("bot %d", number+1)})
	if err != nil {
		return seat{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(body))
	if err != nil {
		return seat{}, err
	}
	request.Header = d.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	response, err := d.client.Do(request)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return seat{}, fmt.Errorf("no server answers at %s: start one with throng serve, or give its address", request.URL.Host)
	}
	if err != nil {
		return seat{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return seat{}, err
	}
	if response.StatusCode != http.StatusOK {
		return seat{}, refusal(response.Status, answer)
	}
	s := seat{WebSocket: d.socket}
	if err := json.Unmarshal(answer, &s); err != nil || s.Token == "" {
		return seat{}, fmt.Errorf("the server's answer to joining could not be read")
	}
	return s, nil
}

// refusal is the server's own reason for not giving a seat, if it has one.
func refusal(status string, answer []byte) error {
	var reply struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(answer, &reply) == nil && reply.Error != "" {
		return fmt.Errorf("the server gave no seat: %s", reply.Error)
	}
	return fmt.Errorf("the server gave no seat: %s", status)
}
