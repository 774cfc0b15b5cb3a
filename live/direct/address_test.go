package direct

import (
	"net/netip"
	"strings"
	"testing"
)

// Addresses are read and written as the standard library has it.
func FuzzAddress(f *testing.F) {
	for _, text := range []string{"1.2.3.4", "01.2.3.4", "1.2.3.256", "::", "::1", "1::", "2001:db8::1:0", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1::2::3", ":1", "1:2", "::12345", "a.local", "fe80::1%x", "::ffff:1.2.3.4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := readAddress(text)
		ip, err := netip.ParseAddr(text)
		if strings.HasSuffix(text, nearby) || err == nil && (ip.Zone() != "" || ip.Is6() && strings.Contains(text, ".")) {
			return // names are not the library's, and the rest we do not take
		}
		if err != nil {
			if a != "" {
				t.Fatalf("%q is taken for %v", text, []byte(a))
			}
			return
		}
		if string(a) != string(ip.AsSlice()) {
			t.Fatalf("%q is read as %v, not %v", text, []byte(a), ip)
		}
		if again, err := netip.ParseAddr(a.text()); err != nil || again != ip {
			t.Fatalf("%v is written as %q", ip, a.text())
		}
	})
}

// Nobody is made to send packets to where no peer can be.
func TestUnreachable(t *testing.T) {
	for host, want := range map[string][2]bool{ // elsewhere, on one machine
		"192.0.2.7": {true, true}, "10.1.2.3": {true, true}, "2001:db8::1": {true, true}, "fd00::2": {true, true}, "a-1.local": {true, true},
		"127.0.0.1": {false, true}, "127.8.8.8": {false, true}, "::1": {false, true},
		"169.254.169.254": {}, "fd00:ec2::254": {}, "::ffff:a9fe:a9fe": {}, "::ffff:7f00:1": {}, "64:ff9b::7f00:1": {}, "fe80::1": {}, "0.0.0.0": {}, "::": {}, "224.0.0.251": {},
		"ff02::1": {}, "255.255.255.255": {}, "240.0.0.1": {}, "::2": {},
	} {
		c := candidate{ownAddress, 1, readAddress(host), 5000}
		if !c.sound() || c.host.reachable(false) != want[0] || c.host.reachable(true) != want[1] {
			t.Errorf("%s: sound %t, reachable %t, on one machine %t", host, c.sound(), c.host.reachable(false), c.host.reachable(true))
		}
		d := example("some")
		d.candidates[0], d.count = c, 1
		if got := strings.Contains(d.text(offer, false), " 5000 "); got != want[0] {
			t.Errorf("%s is handed on: %t", host, got)
		}
	}
	for _, host := range []string{
		"", "metadata.google.internal", "localhost", "evil.example.local\r\na=x", ".local", "UPPER.local", "fe80::1%eth0", "fe80::1%x\r\na=candidate:1",
		"1.2.3", strings.Repeat("a", nameMax) + ".local", "192.0.2.7 9 typ host", "aaaaaaaaaa.local",
	} {
		if a := readAddress(host); a != "" || host != "aaaaaaaaaa.local" && address(host).sound() {
			t.Errorf("%q is taken for an address", host)
		}
	}
	for _, c := range []candidate{{ownAddress, 1, "\x01\x02\x03\x04", 80}, {candidateKinds, 1, "\x01\x02\x03\x04", 5000}} {
		if c.sound() {
			t.Errorf("%+v is taken", c)
		}
	}
}
