package zonal

import (
	"fmt"

	"throng/mechanism"
)

var _ mechanism.Described = (*Config)(nil)

var kindNames = map[byte]string{
	kindAsk: "who could be my parent?", kindParents: "possible parents", kindPing: "ping", kindPong: "pong", kindAttach: "be my parent", kindAttached: "I am your parent",
	kindRefused: "I cannot be your parent", kindBye: "this is over", kindByeHeard: "goodbye", kindClaim: "my children", kindClaimed: "children noted", kindLook: "what I see",
	kindPieces: "letters along the tree", kindOrder: "an action for you", kindDone: "an action was dealt with", kindRecall: "what do you know of what is mine?",
	kindMemory: "what I know of what is yours", kindGone: "my user leaves", kindAudit: "what was written in my sight?", kindReceipts: "what was written in your sight",
	kindShare: "between zones, of their load",
}

// Describer implements mechanism.Described.
func (c *Config) Describer(*mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string {
		if len(m.Payload) == 0 {
			return "?"
		}
		return fmt.Sprintf("%s, %d bytes", kindNames[m.Payload[0]], len(m.Payload)-1)
	}
}
