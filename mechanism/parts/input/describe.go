package input

import (
	"fmt"

	"throng/world"
	"throng/world/wire"
)

// Describe says what is in one of these datagrams. Of objects it says how many bytes there are: to read them one must know what the
// client was told before.
func Describe(s *world.Schema, datagram []byte) string {
	r := wire.NewReader(datagram)
	switch r.Byte() {
	case KindJoin:
		e, u := ReadJoin(&r)
		return fmt.Sprintf("join as user %d, life %d", u, e.Life)
	case KindLeave:
		return "leave"
	case KindUnknown:
		return "you are no member"
	case KindFull:
		return "there is no room for you"
	case KindInput:
		var in Packet
		ReadInput(&r, &in)
		text := fmt.Sprintf("receipt %d: have up to %d", in.Receipt.Number, in.Receipt.High)
		if in.Receipt.Missing != 0 {
			text += fmt.Sprintf(" but not %b", in.Receipt.Missing)
		}
		for i := range in.Actions {
			text += fmt.Sprintf("; action %d: %s", in.Actions[i].Seq, s.DescribeAction(&in.Actions[i]))
		}
		return text
	case KindUpdate:
		p := ReadPreface(&r)
		text := fmt.Sprintf("update %d: tick %d", p.Header.Seq, p.Tick)
		if p.Seq > 0 {
			text += fmt.Sprintf(", your action %d was done at tick %d", p.Seq, p.Done)
		}
		if !p.Whole {
			text += ", not all"
		}
		return text + fmt.Sprintf(", %d bytes of objects", r.Len())
	case KindClouds:
		_, tick := ReadClouds(&r)
		return fmt.Sprintf("crowds at tick %d, in %d bytes", tick, r.Len())
	case KindSeek:
		i, u, lost := ReadSeek(&r)
		return fmt.Sprintf("which server for user %d, life %d, not %d?", u, i.Life, lost)
	case KindPlace, KindMove:
		_, server := ReadPlace(&r)
		return fmt.Sprintf("go to server %d", server)
	}
	return "?"
}
