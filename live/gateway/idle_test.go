package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/lxzan/gws"
)

// crowdEnv makes this program a crowd of clients instead of a test: so many, at this address.
const crowdEnv = "GATEWAY_TEST_CROWD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(crowdEnv); spec != "" {
		if err := beCrowd(spec); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beCrowd joins and connects, says so, and stays until its input ends.
func beCrowd(spec string) error {
	number, address, _ := strings.Cut(spec, "@")
	n, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	tokens := bufio.NewScanner(os.Stdin)
	crowd := make([]*gws.Conn, n) // to keep them from being collected
	for i := range crowd {
		if !tokens.Scan() {
			return io.ErrUnexpectedEOF
		}
		conn, _, err := gws.NewClient(gws.BuiltinEventHandler{}, &gws.ClientOption{Addr: "ws://" + address + "/ws"})
		if err != nil {
			return err
		}
		if err := conn.WriteMessage(gws.OpcodeBinary, helloFrame(tokens.Text(), true)); err != nil {
			return err
		}
		crowd[i] = conn
	}
	fmt.Println("all are here")
	_, err = io.Copy(io.Discard, os.Stdin)
	runtime.KeepAlive(crowd)
	return err
}

// What a user costs who is connected and does nothing: memory of this process, with the hub's part, without a mechanism's.
// The clients are another process.
func BenchmarkIdleUsers(b *testing.B) {
	const users = 5000
	s := open(b, nil)
	transport := http.DefaultTransport.(*http.Transport)
	b.Cleanup(transport.CloseIdleConnections)

	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	crowd := exec.Command(self)
	crowd.Env = append(os.Environ(), fmt.Sprintf("%s=%d@%s", crowdEnv, users, strings.TrimPrefix(s.http.URL, "http://")))
	in, err := crowd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := crowd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	before := memory()
	if err := crowd.Start(); err != nil {
		b.Fatal(err)
	}
	for range users {
		fmt.Fprintln(in, s.join(b, "somebody").Token)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "all are here\n" {
		b.Fatalf("%q %v", line, err)
	}
	until(b, "all are attached", func() bool { return s.hub.Counters().People == users })
	after := memory()
	for b.Loop() {
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(after.inUse-before.inUse)/users, "B/user")
	b.ReportMetric(float64(after.resident-before.resident)/users, "resident-B/user")
	in.Close()
	crowd.Wait()
}

type memoryUse struct {
	inUse    int64 // heap and stacks
	resident int64 // as the system counts it, where it tells
}

func memory() memoryUse {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	use := memoryUse{inUse: int64(m.HeapInuse + m.StackInuse)}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			use.resident = pages * int64(os.Getpagesize())
		}
	}
	return use
}
