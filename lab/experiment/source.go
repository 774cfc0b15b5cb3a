package experiment

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"throng/internal/param"
)

// Source is where experiments are found: in a directory and, if they are not there, among those built into the program.
// Either may be missing.
type Source struct {
	Dir     string
	BuiltIn fs.FS
}

const (
	extension     = ".yaml"
	builtInPrefix = "built-in/" // how built-in files are called in messages
	fileSizeMax   = 64 << 10
)

// Names lists the experiments in alphabetical order.
func (s Source) Names() ([]string, error) {
	var names []string
	collect := func(root fs.FS) error {
		return fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && path.Ext(p) == extension {
				names = append(names, strings.TrimSuffix(p, extension))
			}
			return err
		})
	}
	if s.Dir != "" {
		err := collect(os.DirFS(s.Dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &UserError{Where: s.Dir, Message: "cannot list experiments: " + reason(err)}
		}
	}
	if s.BuiltIn != nil {
		if err := collect(s.BuiltIn); err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Open opens a file that a parameter of an experiment names.
func (s Source) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, builtInPrefix); ok && s.BuiltIn != nil {
		return s.BuiltIn.Open(rest)
	}
	return os.Open(name)
}

// find returns the file of an experiment: a path if name ends like one, relative to the file that refers to it, or else
// the name of an experiment.
func (s Source) find(name string, from place) (file string, err error) {
	if path.Ext(name) == extension {
		return s.relative(name, from), nil
	}
	if !fs.ValidPath(name) || name == "." {
		return "", from.errorf("%q is neither the name of an experiment (see throng list) nor the path of a %s file", name, extension)
	}
	if file := filepath.Join(s.Dir, filepath.FromSlash(name)+extension); s.Dir != "" && s.exists(file) {
		return filepath.ToSlash(file), nil
	}
	if file := builtInPrefix + name + extension; s.exists(file) {
		return file, nil
	}
	names, err := s.Names()
	if err != nil {
		return "", err
	}
	near := param.Nearest(name, names)
	switch {
	case near != "":
		return "", from.errorf("unknown experiment %q; did you mean %q?", name, near)
	case len(names) == 0:
		return "", from.errorf("unknown experiment %q; there are none", name)
	}
	return "", from.errorf("unknown experiment %q; known: %s", name, list(names))
}

// relative turns a path that was written at a place into one that can be read from here.
func (s Source) relative(name string, from place) string {
	if from.file == "" || filepath.IsAbs(name) {
		return name
	}
	return path.Join(path.Dir(from.file), filepath.ToSlash(name))
}

func (s Source) exists(file string) bool {
	f, err := s.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && !info.IsDir()
}

// read returns the text of an experiment.
func (s Source) read(file string, from place) ([]byte, error) {
	f, err := s.Open(file)
	if err != nil {
		return nil, from.errorf("cannot read %s: %s", file, reason(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, fileSizeMax+1))
	if err != nil {
		return nil, from.errorf("cannot read %s: %s", file, reason(err))
	}
	if len(text) > fileSizeMax {
		return nil, place{file: file}.errorf("too long for an experiment; allowed: %d bytes", fileSizeMax)
	}
	return text, nil
}

// nameOf is what a file is called in results.
func (s Source) nameOf(file string) string {
	name := strings.TrimPrefix(strings.TrimSuffix(file, extension), builtInPrefix)
	if s.Dir == "" {
		return name
	}
	if rest, err := filepath.Rel(s.Dir, filepath.FromSlash(name)); err == nil && filepath.IsLocal(rest) {
		return filepath.ToSlash(rest)
	}
	return name
}

// reason is an error of the operating system without the operation and the path, which the message around it has.
func reason(err error) string {
	var onPath *fs.PathError
	var onLink *os.LinkError
	switch {
	case errors.As(err, &onPath):
		return onPath.Err.Error()
	case errors.As(err, &onLink):
		return onLink.Err.Error()
	}
	return err.Error()
}

func list(names []string) string { return strings.Join(names, ", ") }
