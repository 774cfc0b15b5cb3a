// A run that is recorded and read back.
//
// A recording has what every host showed at every tick, the truth beside it, curves, and what the users did. Whoever reads it
// needs none of the code that ran: the file describes the world's objects. Here bees swarm over a slow network; then the
// recording is searched for the moment at which two users saw one bee farthest apart.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"throng/catalog"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/record"
	"throng/lab/sim"
	"throng/mechanism/loose"
	"throng/world"
	"throng/world/fixed"
	"throng/worlds/swarm"
)

func main() {
	file := filepath.Join(os.TempDir(), "throng-recording")
	if err := write(file); err != nil {
		log.Fatal(err)
	}
	if err := read(file); err != nil {
		log.Fatal(err)
	}
}

// write runs a minute of a swarm and records it.
func write(file string) error {
	config, sharing, hosts := catalog.Defaults(new(swarm.Config)), catalog.Defaults(new(loose.Config)), catalog.Defaults(new(sim.Config))
	bees, err := config.World()
	if err != nil {
		return err
	}
	const seed = 1
	net, err := network.Constant{Delay: 200 * world.Millisecond}.New(seed, config.Bees)
	if err != nil {
		return err
	}
	run, err := sim.New(sim.Setup{World: bees, Mechanism: sharing, Network: net, Hosts: *hosts,
		Seed: seed, Duration: world.Minute})
	if err != nil {
		return err
	}
	// What else is to be recorded than the views must watch the run as well.
	truth, divergence := measure.NewTruth(run), measure.NewDivergence(run)
	run.Observe(truth)
	recording, err := record.Create(run, file, record.Options{
		Truth:     truth,
		Curves:    []record.Curve{{Name: "divergence", Value: divergence.Now}},
		Mechanism: "loose", Network: "constant",
	})
	if err != nil {
		return err
	}
	return errors.Join(run.Go(context.Background()), recording.Close())
}

// read finds the moment at which the second user saw the first one's bee in the wrongest place, and shows it.
func read(file string) (err error) {
	r, err := record.OpenFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	h := r.Header()
	fmt.Printf("%s: %s under %s, %d views in %d frames\n", file, h.World.Name, h.Mechanism, len(h.Tracks), r.Frames())

	actions, worst, most := 0, 0, fixed.F(0)
	for {
		if err := r.Next(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		actions += len(r.Actions())
		if apart := bee(r, 0).Pos.Dist(bee(r, 1).Pos); apart > most {
			worst, most = r.Frame(), apart
		}
	}
	if err := r.At(worst); err != nil { // any frame, in any order
		return err
	}
	fmt.Printf("users steered %d times; the first one's bee was most misplaced, by %d px, at %v, when %s was %.4f:\n",
		actions, most.Round(), r.Time(), h.Curves[0].Name, r.Curves()[0])
	for i, track := range h.Tracks {
		pos := bee(r, i).Pos
		fmt.Printf("  %-5s %d: %4d, %4d\n", track.Role, track.Node, pos.X.Round(), pos.Y.Round())
	}
	return nil
}

// bee finds the first user's bee in what a track shows.
func bee(r *record.Reader, track int) *world.Object {
	for o := range r.State(track).All() {
		if o.User == 1 && r.Header().World.Kinds[o.Kind].Name == "bee" {
			return o
		}
	}
	panic("a bee has gone")
}
