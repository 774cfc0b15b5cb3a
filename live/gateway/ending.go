package gateway

import (
	"throng/live/account"
	"throng/live/hub"
)

// ending is why a connection ended: a word to count it under, and what the client is told.
type ending struct {
	code, text string
}

// Switched is what people are told whose world goes on under another mechanism: their page joins again.
const Switched = "the world begins again under another mechanism"

// Why connections end.
var (
	endLeft      = &ending{"left", "goodbye"}
	endLost      = &ending{"lost", "the connection was lost"}
	endReplaced  = &ending{"replaced", "the seat is used by another connection"}
	endShutdown  = &ending{"shutdown", "the server is going down"}
	endStranger  = &ending{"stranger", "the token is unknown or no longer valid; join again"}
	endFull      = &ending{"full", "all seats are taken; try again later"}
	endThin      = &ending{"full", "as many programs take part as the server runs nodes for; try again later"}
	endBusy      = &ending{"busy", hub.ErrBusy.Error()}
	endVersion   = &ending{"version", "the client speaks another version; load the page again"}
	endManners   = &ending{"manners", "the first frame must be a hello"}
	endJoin      = &ending{"manners", "the first message must be of the type join"}
	endJoins     = &ending{"joins", "too many have asked for a seat from this address; try again in a minute"}
	endAccount   = &ending{"account", account.ErrInvalid.Error()}
	endKicked    = &ending{"kicked", "an operator has shown you out"}
	endBanned    = &ending{"banned", "you may not come in here"}
	endDraining  = &ending{"draining", "nobody is let in at the moment; try again later"}
	endOften     = &ending{"joins", hub.ErrOften.Error()}
	endMalformed = &ending{"malformed", "a frame could not be read"}
	endFlood     = &ending{"flood", "too much was sent for too long"}
	endSlow      = &ending{"slow", "what was sent was not taken in time"}
	endLate      = &ending{"handshake", "no hello came in time"}
	endSilent    = &ending{"silent", "nothing was heard for too long"}
	endHarmful   = &ending{"harmful", hub.CutReason}
	endSwitched  = &ending{"switched", Switched}
	endBroken    = &ending{"broken", "the part of the world that you were in is gone: the process that ran it has ended"}
)

var endings = []*ending{endLeft, endLost, endReplaced, endShutdown, endStranger, endFull, endBusy, endVersion, endManners, endJoins, endAccount, endKicked, endBanned, endDraining,
	endMalformed, endFlood, endSlow, endLate, endSilent, endHarmful, endSwitched, endBroken}

// endingOf finds what a reason that the hub gives is counted under. What the hub says in its own words is about its end.
func endingOf(reason string) *ending {
	for _, e := range endings {
		if e.text == reason {
			return e
		}
	}
	return &ending{endShutdown.code, reason}
}
