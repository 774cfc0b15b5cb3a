package web

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"throng/web/internal/asset"
	"throng/web/internal/scripts"
	"throng/web/internal/toolchain"
)

// embedded is the archive of the page that the program contains, if any.
var embedded string

// Embed has a program contain its page. The file that [Bundle] adds to the main package calls it; nobody else does.
func Embed(archive string) { embedded = archive }

// bundled is a page out of an archive.
type bundled map[string]*asset.Asset

func (b bundled) find(name string) http.Handler {
	if file, ok := b[name]; ok {
		return file
	}
	return nil
}

// ending is that of the archive's files, which are compressed on their own and as well as can be.
const ending = ".br"

// unpack reads an archive. The program was put together wrongly if it cannot be read.
func unpack(archive string) bundled {
	files, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err)
	}
	list := bundled{}
	for _, f := range files.File {
		content, err := f.Open()
		if err != nil {
			panic(err)
		}
		compressed, err := io.ReadAll(content)
		if err != nil {
			panic(err)
		}
		name := strings.TrimSuffix(f.Name, ending)
		list["/"+name] = asset.Compressed(name, compressed)
	}
	return list
}

// Bundle compiles the running program with its page inside, for whatever system GOOS and GOARCH say. It takes further
// arguments for go build.
func Bundle(ctx context.Context, c Config, executable string, args []string, stderr io.Writer) error {
	program, err := toolchain.Find(ctx, c.Source)
	if err != nil {
		return err
	}
	files, err := everything(ctx, program)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "Compressing the page; what has not changed since the last time takes no time.")
	archive, err := pack(files, stderr)
	if err != nil {
		return err
	}
	if executable, err = filepath.Abs(executable); err != nil {
		return err
	}
	return program.Executable(ctx, archive, executable, args, stderr)
}

// everything is all files of the page.
func everything(ctx context.Context, program toolchain.Program) (map[string][]byte, error) {
	files, err := scripts.Bundle(sources)
	if err != nil {
		return nil, err
	}
	client, err := program.Client(ctx, func(string) {})
	if err != nil {
		return nil, err
	}
	files[clientFile[1:]] = client.Program
	files[scriptFile[1:]], err = scripts.Minify(client.Script)
	return files, err
}

// pack makes an archive and lists what is in it.
func pack(files map[string][]byte, list io.Writer) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		compressed := asset.CompressBest(files[name])
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name + ending, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(compressed); err != nil {
			return nil, err
		}
		fmt.Fprintf(list, "%-12s %9d bytes, %8d compressed\n", name, len(files[name]), len(compressed))
	}
	err := w.Close()
	return out.Bytes(), err
}
