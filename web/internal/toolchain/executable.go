package toolchain

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// The file that is added to the main package, and the archive beside it. Neither is ever written there: the go command is told
// to act as if (-overlay).
const (
	addedFile    = "throng_page.go"
	addedArchive = "throng_page.zip"

	added = `package main

import (
	_ "embed"

	"throng/web"
)

//go:embed ` + addedArchive + `
var throngPage string

func init() { web.Embed(throngPage) }
`
)

// Executable compiles the program with an archive of its page inside. It takes further arguments for go build.
func (p Program) Executable(ctx context.Context, archive []byte, out string, args []string, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "throng-bundle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, content := range map[string][]byte{addedFile: []byte(added), addedArchive: archive} {
		actual := filepath.Join(dir, name)
		if err := os.WriteFile(actual, content, 0o644); err != nil {
			return err
		}
		overlay.Replace[filepath.Join(p.Folder, name)] = actual
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return err
	}
	all := append([]string{"build", "-overlay=" + list, "-tags=" + p.Tags, "-o", out}, args...)
	command := p.command(ctx, p.Dir, append(all, p.Package)...)
	command.Stderr = stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("go build of %s with its page: %w", p.Package, err)
	}
	return nil
}
