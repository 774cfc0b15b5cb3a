//go:build !js

package app

import (
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"throng/live/hub"
	"throng/live/logging"
)

// logTime is how long the last lines of the log may take to be written.
const logTime = time.Second

// logQueue is what the log is written through: nobody waits for its reader, and a reader that is gone ends nothing.
func (s *serving) logQueue(w io.Writer) *logging.Queue {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // else the first line to a broken pipe would end the process
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		panic(err) // the settings allow only levels
	}
	options := &slog.HandlerOptions{Level: level}
	return logging.NewQueue(w, func(w io.Writer) slog.Handler {
		if s.LogFormat == "json" {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	})
}

// logger writes in the format and from the level on that were chosen.
func (s *serving) logger(q *logging.Queue) *slog.Logger {
	log := q.Logger()
	if s.Join != "" || s.further() > 0 {
		log = log.With("pid", os.Getpid()) // several processes may write to the same place
	}
	return log
}

// logPanic has the log tell of a node's panic. What sent it and what did it is at /admin/panics.
func logPanic(log *slog.Logger) func(hub.Failure) {
	return func(f hub.Failure) {
		attrs := []any{"node", f.Place.ID, "role", f.Place.Role, "panic", f.What, "outcome", f.Outcome}
		if m := f.Message; m != nil {
			attrs = append(attrs, "from", m.From, "class", m.Class, "bytes", len(m.Payload))
		}
		log.Error("a node panicked: this is a bug, see /admin/panics", attrs...)
	}
}
