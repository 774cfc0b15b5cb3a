package direct

import (
	"strconv"
	"strings"

	"throng/world/wire"
)

// description is what one end has to know of the other. It travels in this form and not as the text (SDP) that browsers read and write:
// that text is written here, so that a stranger can put nothing into it but what stands in these fields.
type description struct {
	name, password string   // by which ends that look for each other know each other (ICE)
	certificate    [32]byte // its SHA-256
	candidates     [candidateMax]candidate
	count          int // of candidates
}

// candidate is an address at which somebody may be found.
type candidate struct {
	kind     candidateKind
	priority uint32
	host     address
	port     uint16
}

type candidateKind byte

const (
	ownAddress   candidateKind = iota // of the machine itself
	seenAddress                       // as a STUN server sees it
	relayAddress                      // of a TURN server
	candidateKinds
)

var candidateNames = [candidateKinds]string{"host", "srflx", "relay"}

const (
	candidateMax = 12
	secretMax    = 256 // bytes of name and password, as ICE has it
	nameMin      = 4
	passwordMin  = 22
	portMin      = 1024 // below are services, which nobody is to be pointed at
)

// readText reads what a browser or a library says of its own end.
func readText(text string) (d description, ok bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "a=ice-ufrag":
			d.name = value
		case "a=ice-pwd":
			d.password = value
		case "a=fingerprint":
			print, found := strings.CutPrefix(value, "sha-256 ")
			ok = found && readPrint(&d.certificate, print)
		case "a=candidate":
			if c, usable := readCandidate(value); usable && d.count < candidateMax {
				d.candidates[d.count] = c
				d.count++
			}
		}
	}
	return d, ok && d.sound()
}

// readPrint reads bytes in hexadecimal digits with colons between them.
func readPrint(to *[32]byte, text string) bool {
	if len(text) != 3*len(to)-1 {
		return false
	}
	for i := range to {
		n, err := strconv.ParseUint(text[3*i:3*i+2], 16, 8)
		if err != nil {
			return false
		}
		to[i] = byte(n)
	}
	return true
}

// readCandidate reads "foundation component transport priority host port typ kind …".
func readCandidate(value string) (c candidate, ok bool) {
	f := strings.Fields(value)
	if len(f) < 8 || f[1] != "1" || !strings.EqualFold(f[2], "udp") {
		return c, false
	}
	priority, err := strconv.ParseUint(f[3], 10, 32)
	port, err2 := strconv.ParseUint(f[5], 10, 16)
	if err != nil || err2 != nil {
		return c, false
	}
	c = candidate{kind: candidateKinds, priority: uint32(priority), host: readAddress(f[4]), port: uint16(port)}
	for k, name := range candidateNames {
		if f[7] == name {
			c.kind = candidateKind(k)
		}
	}
	return c, c.sound()
}

func (d *description) sound() bool {
	return secret(d.name, nameMin) && secret(d.password, passwordMin)
}

// secret reports whether a text has the length and the characters that ICE allows.
func secret(s string, least int) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return len(s) >= least && len(s) <= secretMax
}

func (c *candidate) sound() bool {
	return c.kind < candidateKinds && c.port >= portMin && c.host.sound()
}

// text is the description as browsers and libraries read it.
func (d *description) text(what kind, local bool) string {
	setup := "actpass"
	if what == answer {
		setup = "active"
	}
	var b strings.Builder
	b.WriteString("v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n" +
		"m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=sctp-port:5000\r\n" +
		"a=ice-ufrag:" + d.name + "\r\na=ice-pwd:" + d.password + "\r\na=setup:" + setup + "\r\na=fingerprint:sha-256 ")
	const digits = "0123456789ABCDEF"
	for i, x := range d.certificate {
		if i > 0 {
			b.WriteByte(':')
		}
		b.WriteByte(digits[x>>4])
		b.WriteByte(digits[x&15])
	}
	b.WriteString("\r\n")
	for i := range d.candidates[:d.count] {
		if c := &d.candidates[i]; c.host.reachable(local) {
			b.WriteString("a=candidate:" + strconv.Itoa(i+1) + " 1 udp " + strconv.FormatUint(uint64(c.priority), 10) + " " + c.host.text() + " " +
				strconv.Itoa(int(c.port)) + " typ " + candidateNames[c.kind])
			if c.kind != ownAddress {
				b.WriteString(" raddr 0.0.0.0 rport 0")
			}
			b.WriteString("\r\n")
		}
	}
	b.WriteString("a=end-of-candidates\r\n")
	return b.String()
}

func (d *description) append(dst []byte) []byte {
	dst = wire.AppendBytes(dst, []byte(d.name))
	dst = wire.AppendBytes(dst, []byte(d.password))
	dst = append(append(dst, d.certificate[:]...), byte(d.count))
	for _, c := range d.candidates[:d.count] {
		dst = wire.AppendUint(append(dst, byte(c.kind)), uint64(c.priority))
		dst = wire.AppendUint(wire.AppendBytes(dst, []byte(c.host)), uint64(c.port))
	}
	return dst
}

func readDescription(r *wire.Reader) (d description, ok bool) {
	d.name, d.password = string(r.Bytes()), string(r.Bytes())
	for i := range d.certificate {
		d.certificate[i] = r.Byte()
	}
	if d.count = int(r.Byte()); d.count > candidateMax {
		return d, false
	}
	for i := range d.count {
		kind, priority, host, port := candidateKind(r.Byte()), r.Uint(), r.Bytes(), r.Uint()
		c := candidate{kind, uint32(priority), address(host), uint16(port)}
		if uint64(c.priority) != priority || uint64(c.port) != port || !c.sound() {
			return d, false
		}
		d.candidates[i] = c
	}
	return d, d.sound()
}
