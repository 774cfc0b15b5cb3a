package direct

import (
	"strconv"
	"strings"
)

// address is where somebody may be found: the bytes of an IP address, or a name that only machines near by can resolve. It is read and
// written here, since the packages that do so would be a fortieth of the page's program.
type address string

const (
	nearby  = ".local"
	nameMax = 64
	v4, v6  = 4, 16 // bytes
)

// readAddress reads one from a text; it is empty if there is none.
func readAddress(text string) address {
	switch {
	case strings.HasSuffix(text, nearby):
		if a := address(text); a.named() {
			return a
		}
	case strings.Contains(text, ":"):
		return readV6(text)
	case strings.Count(text, ".") == v4-1:
		var a [v4]byte
		i := 0
		for part := range strings.SplitSeq(text, ".") {
			n, err := strconv.ParseUint(part, 10, 8)
			if err != nil || len(part) > 1 && part[0] == '0' {
				return ""
			}
			a[i] = byte(n)
			i++
		}
		return address(a[:])
	}
	return ""
}

// readV6 reads up to eight groups of hexadecimal digits, where "::" stands for as many zeros as are missing.
func readV6(text string) address {
	head, tail, short := strings.Cut(text, "::")
	before, ok := groups(head)
	after, ok2 := groups(tail)
	missing := v6 - len(before) - len(after)
	if !ok || !ok2 || missing < 0 || short != (missing > 0) {
		return ""
	}
	return address(before) + address(make([]byte, missing)) + address(after)
}

func groups(text string) (b []byte, ok bool) {
	if text == "" {
		return nil, true
	}
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 || len(b) == v6 {
			return nil, false
		}
		b = append(b, byte(n>>8), byte(n))
	}
	return b, true
}

// named reports whether the address is a name, and a sound one.
func (a address) named() bool {
	name, ok := strings.CutSuffix(string(a), nearby)
	for i := range len(name) {
		if c := name[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return ok && name != "" && len(a) <= nameMax && len(a) != v6 // else it would be bytes
}

func (a address) sound() bool { return len(a) == v4 || len(a) == v6 || a.named() }

// text is the address as it is written.
func (a address) text() string {
	var parts []string
	switch len(a) {
	case v4:
		for i := range v4 {
			parts = append(parts, strconv.Itoa(int(a[i])))
		}
		return strings.Join(parts, ".")
	case v6:
		for i := 0; i < v6; i += 2 {
			parts = append(parts, strconv.FormatUint(uint64(a[i])<<8|uint64(a[i+1]), 16))
		}
		return strings.Join(parts, ":")
	}
	return string(a)
}

// reachable reports whether packets may be sent to where somebody says that they are: not to everybody at once, not to what a
// machine or its link has for itself, such as clouds' metadata, and to this machine only where others are on it.
func (a address) reachable(local bool) bool {
	const zeros = address("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	switch {
	case a.named():
		return true
	case len(a) == v4 && a[0] == 127, a == zeros+"\x01":
		return local
	case len(a) == v4:
		return a[0] != 0 && a[0] < 224 && (a[0] != 169 || a[1] != 254)
	}
	return a[0]&0xe0 == 0x20 || a[0]&0xfe == 0xfc && !strings.HasPrefix(string(a), "\xfd\x00\x0e\xc2") // global, or of a network of one's own; the last is a cloud's
}
