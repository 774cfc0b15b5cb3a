//go:build !js

package direct

import (
	"sync"

	"github.com/pion/ice/v4"
	"github.com/pion/webrtc/v4"
)

// Pion opens connections for programs.
type Pion struct {
	api     *webrtc.API
	servers []webrtc.ICEServer
}

// NewPion returns a way that finds its own address by some STUN or TURN servers, which may be none: on one machine or in one network
// it works without.
func NewPion(servers []Server) *Pion {
	var s webrtc.SettingEngine
	s.SetIncludeLoopbackCandidate(true)
	s.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	s.SetPrflxAcceptanceMinWait(0) // or opening takes a second
	s.SetSCTPMaxReceiveBufferSize(1 << 18)
	p := &Pion{api: webrtc.NewAPI(webrtc.WithSettingEngine(s))}
	for _, at := range servers {
		p.servers = append(p.servers, webrtc.ICEServer{URLs: at.URLs, Username: at.Username, Credential: at.Credential})
	}
	return p
}

// backlog is how much may wait to be sent: what is late is of no use.
const backlog = 64 << 10

type pionConn struct {
	pc      *webrtc.PeerConnection
	channel *webrtc.DataChannel
	closing sync.Once
}

// Open implements Way.
func (p *Pion) Open(offer string, h Handler) (Conn, error) {
	pc, err := p.api.NewPeerConnection(webrtc.Configuration{ICEServers: p.servers})
	if err != nil {
		return nil, err
	}
	c := &pionConn{pc: pc}
	never, none, agreed, id := false, uint16(0), true, uint16(0)
	c.channel, err = pc.CreateDataChannel("throng", &webrtc.DataChannelInit{Ordered: &never, MaxRetransmits: &none, Negotiated: &agreed, ID: &id})
	if err != nil {
		c.Close()
		return nil, err
	}
	c.channel.OnOpen(h.Opened)
	c.channel.OnClose(h.Closed)
	c.channel.OnMessage(func(m webrtc.DataChannelMessage) { h.Message(m.Data) })
	pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		if s == webrtc.PeerConnectionStateFailed || s == webrtc.PeerConnectionStateClosed {
			h.Closed()
		}
	})
	if err := c.describe(offer, h); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// describe makes the own description, and has it told once all addresses are known.
func (c *pionConn) describe(offer string, h Handler) error {
	gathered := webrtc.GatheringCompletePromise(c.pc)
	var own webrtc.SessionDescription
	var err error
	if offer == "" {
		own, err = c.pc.CreateOffer(nil)
	} else {
		if err := c.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
			return err
		}
		own, err = c.pc.CreateAnswer(nil)
	}
	if err != nil {
		return err
	}
	if err := c.pc.SetLocalDescription(own); err != nil {
		return err
	}
	go func() {
		<-gathered
		if d := c.pc.LocalDescription(); d != nil {
			h.Described(d.SDP)
		}
	}()
	return nil
}

// Answered implements Conn.
func (c *pionConn) Answered(description string) error {
	return c.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: description})
}

// Send implements Conn.
func (c *pionConn) Send(message []byte) bool {
	return c.channel.BufferedAmount() < backlog && c.channel.Send(message) == nil
}

// Close implements Conn. It does not wait: handlers that are under way may wait for the caller.
func (c *pionConn) Close() {
	c.closing.Do(func() {
		go func() { _ = c.pc.Close() }()
	})
}
