//go:build !js

package app

import (
	"context"
	"log/slog"
	"net/http"

	"throng/lab/experiment"
	"throng/web"
)

type bundleCommand struct {
	Output string   `short:"o" placeholder:"FILE" required:"" help:"The program to write."`
	Args   []string `arg:"" optional:"" passthrough:"" help:"Further arguments for go build, after --."`
}

func (bundleCommand) Help() string {
	return `The page is part of the program: what people see is computed by the program itself, compiled for browsers. As a rule that
happens when somebody opens the page, with the Go toolchain. What bundle builds has it inside and needs nothing else.
GOOS and GOARCH say for which system.

Examples:
  throng bundle -o bin/throng
  throng bundle -o bin/throng -- -trimpath -ldflags=-s`
}

func (c *bundleCommand) Run(e *environment) error {
	args := c.Args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if err := web.Bundle(e.ctx, web.Config{Source: e.program.source}, c.Output, args, e.stderr); err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	return nil
}

// page serves what people open in a browser. Where it has to be compiled first, that ends with ctx.
func (e *environment) page(ctx context.Context, log *slog.Logger) http.Handler {
	return web.Handler(ctx, web.Config{Source: e.program.source, Log: log})
}
