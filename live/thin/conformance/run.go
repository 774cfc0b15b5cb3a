package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Run runs a client with the server's address as its last argument, and says what it did wrong.
func Run(ctx context.Context, command []string, output io.Writer) error {
	s, err := Start()
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(ctx, 4*patience)
	defer cancel()
	program := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], s.URL)...)
	program.Stdout, program.Stderr, program.WaitDelay = output, output, time.Second
	if err := program.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	select {
	case err := <-s.Found:
		if err != nil {
			cancel()
			<-ended
			return err
		}
	case err := <-ended:
		select { // it may have ended for the goodbye
		case found := <-s.Found:
			return errors.Join(found, err)
		case <-time.After(time.Second):
		}
		return fmt.Errorf("the client ended before the script did: %v", err)
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		cancel()
		<-ended
		return errors.New("the client did not end when it was told goodbye")
	}
}
