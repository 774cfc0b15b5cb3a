package assignment

import (
	"flag"
	"testing"
	"time"

	"throng/world/random"
)

// clients is how many clients are assigned: go test ./mechanism/parts/assignment -run Regions -v -clients 1000000
var clients = flag.Int("clients", 5_000, "clients that TestRegionsHaveFewServers assigns; the source has 100,000")

// Section 6.6, figures 6.4 to 6.6, for the source's three distributions on 3 to 7 servers and on 100: those of one region are on one server or few. Of the others
// whom a client sees, as many as can be are on its own server: that is what assignment is for.
func TestRegionsHaveFewServers(t *testing.T) {
	for _, how := range []string{"uniform", "skewed", "clustered"} {
		for _, servers := range []int{3, 4, 5, 6, 7, 100} {
			r := random.New(1, "population")
			m := NewMap(Standard(), servers)
			views := population(&r, how, *clients)
			at := make([]int, len(views))
			began := time.Now()
			for i, v := range views {
				at[i], _ = m.Best(v)
				m.Add(at[i], v)
			}
			each := time.Since(began) / time.Duration(len(views))
			together, most := together(views, at, servers), 0
			for s := range servers {
				most = max(most, m.Clients(s))
			}
			t.Logf("%s on %d servers: %v servers per block, %.0f%% of neighbours on one's own server, by chance %.0f%%; the fullest has %.2f of an even share; %v for each",
				how, servers, m.Spread(), 100*together, 100/float64(servers), float64(most*servers)/float64(len(views)), each)
			if together < 2/float64(servers) && together < 0.5 {
				t.Errorf("%s on %d servers: %.2f of neighbours are on one's own server", how, servers, together)
			}
			if most*servers > 2*len(views) {
				t.Errorf("%s on %d servers: the fullest has %d of %d", how, servers, most, len(views))
			}
		}
	}
}

// together is the share of neighbours, clients in the same block, that are on the same server.
func together(views []View, at []int, servers int) float64 {
	counts := map[[3]uint8][]int{}
	for i, v := range views {
		block := [3]uint8{(v.Low[0] + v.High[0]) / 2, (v.Low[1] + v.High[1]) / 2, (v.Low[2] + v.High[2]) / 2}
		if counts[block] == nil {
			counts[block] = make([]int, servers)
		}
		counts[block][at[i]]++
	}
	same, pairs := 0.0, 0.0
	for _, by := range counts {
		all := 0
		for _, n := range by {
			same += float64(n) * float64(n-1)
			all += n
		}
		pairs += float64(all) * float64(all-1)
	}
	return same / pairs
}
