package direct

import (
	"strings"
	"testing"
)

// example is the description of an end with a name.
func example(name string) description {
	return description{
		name: name, password: strings.Repeat("p", passwordMin), certificate: [32]byte{1, 2, 31: 0xfe}, count: 2,
		candidates: [candidateMax]candidate{{ownAddress, 7, readAddress("127.0.0.1"), 4000}, {seenAddress, 5, readAddress("2001:db8::1"), 5000}},
	}
}

// What browsers and libraries write of themselves is understood, and what is of no use left out.
func TestReadsWhatIsWritten(t *testing.T) {
	const text = "v=0\r\no=- 66 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n" +
		"a=candidate:1878178115 1 udp 2113937151 12a71c19-9b89-4fd4-b34d-306a0f07cf30.local 44210 typ host generation 0 network-cost 999\r\n" +
		"a=candidate:1 1 tcp 1518280447 192.0.2.7 9 typ host tcptype active\r\n" +
		"a=candidate:2 2 udp 1518280447 192.0.2.7 5555 typ host\r\n" +
		"a=candidate:3 1 UDP 1686052607 203.0.113.9 60001 typ srflx raddr 0.0.0.0 rport 0\r\n" +
		"a=ice-ufrag:uGzx\r\na=ice-pwd:bIUANlP5hGF+4UNFmUwyFW0N\r\n" +
		"a=fingerprint:sha-256 FC:21:53:AD:21:40:F0:B8:2F:87:62:D7:A7:4F:14:9E:63:4B:F5:BA:40:11:F7:72:C2:AC:03:BD:A1:B4:AC:E3\r\na=setup:actpass\r\n"
	d, ok := readText(text)
	if !ok || d.name != "uGzx" || d.password != "bIUANlP5hGF+4UNFmUwyFW0N" || d.certificate[0] != 0xfc || d.certificate[31] != 0xe3 || d.count != 2 {
		t.Fatalf("read as %+v, %t", d, ok)
	}
	if c := d.candidates[1]; c != (candidate{seenAddress, 1686052607, readAddress("203.0.113.9"), 60001}) {
		t.Errorf("a candidate is read as %+v", c)
	}
	again, ok := readText(d.text(answer, true))
	if !ok || again != d {
		t.Errorf("written and read again it is %+v, %t", again, ok)
	}
	for _, less := range []string{"a=ice-ufrag:uGzx", "a=ice-pwd:", "a=fingerprint:sha-256 FC"} {
		if _, ok := readText(strings.Replace(text, less, "b=", 1)); ok {
			t.Errorf("a description without %s is taken", less)
		}
	}
}
