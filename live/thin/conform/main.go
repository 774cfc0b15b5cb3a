// Command conform runs a client of the thin protocol against a script; see docs/protocol.md.
//
//	go run ./live/thin/conform -- python3 sdk/python/tests/conform.py
package main

import (
	"context"
	"fmt"
	"os"

	"throng/live/thin/conformance"
)

func main() {
	command := os.Args[1:]
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		fmt.Fprintln(os.Stderr, "usage: conform -- COMMAND [ARGUMENT…]; the server's address is added as the last one")
		os.Exit(2)
	}
	if err := conformance.Run(context.Background(), command, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(1)
	}
	fmt.Println("the client conforms")
}
