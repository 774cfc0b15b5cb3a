package bare

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"throng/live/livetest"
)

func TestUsersSeeOneAnother(t *testing.T) {
	for _, test := range []struct {
		name  string
		field Field
		bytes float64 // to each user in a second
	}{
		{"spread", Field{Side: 3000, Sight: 2999}, 0},
		{"dense", Field{Side: 3000, Sight: 6000}, 10 * (2 + 2 + 20*RecordSize)},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				network := livetest.NewMemory()
				done := make(chan error)
				go func() { done <- Serve(ctx, network, test.field) }()
				load := Load{URL: "ws://bare/ws", Field: test.field, Users: 20, Observers: 5, Ramp: time.Second,
					Settle: time.Second, Duration: 5 * time.Second, Dial: network.Dial}
				r := load.Run(ctx)
				if r.Joined != 20 || r.Stayed != 20 || len(r.Failures)+len(r.Goodbyes) != 0 {
					t.Errorf("%d joined, %d stayed, failures %v, goodbyes %v", r.Joined, r.Stayed, r.Failures, r.Goodbyes)
				}
				if r.Delay.Count == 0 || r.Delay.P50 <= 0 || r.Delay.P90 > 101 {
					t.Errorf("observation delay %v: a record waits up to 100 ms for its slot", r.Delay)
				}
				if share := r.Updates.Share(); share < 0.95 || share > 1.05 {
					t.Errorf("%.2f of the updates came", share)
				}
				if test.bytes > 0 && (r.Bytes.In < 0.95*test.bytes || r.Bytes.In > 1.05*test.bytes) {
					t.Errorf("%.0f B/s to each, want %.0f", r.Bytes.In, test.bytes)
				}
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
