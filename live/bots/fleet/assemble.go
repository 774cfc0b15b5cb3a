package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

// patience is how much longer than planned, or than twice that, assembling may take.
const patience = 10 * time.Second

var errSlow = errors.New("it took too long to let everybody in")

// Assemble calls connect for 0 to n-1, evenly spread over a time or as fast as it goes, several at once. It returns what
// went wrong, by reason, when all have been tried. A server that takes far too long is not waited for: who has not been
// tried when ctx is done or patience has run out counts with the reason for that.
func Assemble(ctx context.Context, atOnce, n int, over time.Duration, connect func(ctx context.Context, i int) error) map[string]int {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*over+patience, errSlow)
	defer cancel()
	failures := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan int)
	for range atOnce {
		all.Go(func() {
			for i := range turns {
				if err := connect(ctx, i); err != nil {
					if ctx.Err() != nil {
						err = context.Cause(ctx)
					}
					mu.Lock()
					failures[err.Error()]++
					mu.Unlock()
				}
			}
		})
	}
	began := time.Now()
	tried := 0
	for ; tried < n && ctx.Err() == nil; tried++ {
		select {
		case <-time.After(time.Until(began.Add(over * time.Duration(tried) / time.Duration(n)))):
		case <-ctx.Done():
		}
		turns <- tried
	}
	close(turns)
	all.Wait()
	if tried < n {
		failures[context.Cause(ctx).Error()] += n - tried
	}
	return failures
}
