//go:build linux

package main

import (
	"errors"
	"testing"
)

func TestClimbFindsTheLimit(t *testing.T) {
	for limit := 100; limit < 15_000; limit += 83 {
		for _, guess := range []int{1, 2000, 20_000} {
			highest, lowest, asked := 0, 1<<30, 0
			err := crowds.climb(guess, func(users int) (bool, error) {
				asked++
				if users <= limit {
					highest = max(highest, users)
				} else {
					lowest = min(lowest, users)
				}
				return users <= limit, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if limit >= crowds.first && (highest == 0 || lowest < 1<<30 && lowest > highest+highest/grain) {
				t.Errorf("limit %d, guess %d: %d is held and %d is not", limit, guess, highest, lowest)
			}
			if asked > 18 {
				t.Errorf("limit %d, guess %d: asked %d times", limit, guess, asked)
			}
		}
	}
}

func TestClimbGivesUp(t *testing.T) {
	over, asked := errors.New("over"), 0
	err := crowds.climb(1000, func(int) (bool, error) {
		asked++
		return false, over
	})
	if !errors.Is(err, over) || asked != 1 {
		t.Errorf("got %v after %d questions", err, asked)
	}
}
