package octree

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
)

var _ mechanism.Described = (*Config)(nil)

var kindNames = map[byte]string{
	kindMeeting: "let us begin anew", kindWrite: "what I answer for", kindAck: "written", kindNews: "news of what you watch", kindNotes: "who answers for what you watch",
	kindWatch: "what I watch", kindClaim: "a user has come to me", kindClaimed: "what there is of that user", kindCede: "a user has gone to another server",
	kindGrant: "an object is yours", kindSilent: "servers out of touch", kindForward: "an action for you", kindDone: "an action of yours was dealt with",
	kindRefill: "I have begun with empty hands", kindRecords: "what you are to hold",
	kindReport: "where my clients look", kindAppraise: "would these be better off elsewhere?", kindMove: "that client would", kindPrefetch: "a client is about to come",
	kindReady: "I know what it sees", kindLeaving: "I am about to go", kindLocate: "where is a user?", kindLocated: "where a user is", kindLeased: "sent to a server", kindAlive: "are you there?", kindRequest: "change something of yours",
}

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string {
		if input.Is(m.Payload) {
			return input.Describe(s.World.Schema(), m.Payload)
		}
		var parts []string
		for p := range link.Parts(c.Link, m.Payload) {
			text := p.String()
			if len(p.Payload) > 0 {
				text += fmt.Sprintf(": %s, %d bytes", kindNames[p.Payload[0]], len(p.Payload)-1)
			}
			parts = append(parts, text)
		}
		return "{" + strings.Join(parts, "; ") + "}"
	}
}
