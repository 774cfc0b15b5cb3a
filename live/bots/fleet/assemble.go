package fleet

import (
	"context"
	"sync"
	"time"
)

// Assemble calls connect for 0 to n-1, evenly spread over a time or as fast as it goes, several at once. It returns what
// went wrong, by reason, when all have been tried. Who has not been when ctx is done counts with the reason for that.
func Assemble(ctx context.Context, atOnce, n int, over time.Duration, connect func(i int) error) map[string]int {
	failures := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan int)
	for range atOnce {
		all.Go(func() {
			for i := range turns {
				if err := connect(i); err != nil {
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
