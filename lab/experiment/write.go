package experiment

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// The files that WriteFiles writes.
const (
	CSVFile   = "results.csv"
	JSONFile  = "summary.json"
	MeansFile = "means.csv"
)

// CheckOutput makes sure that results can be written to a directory, which it creates if need be: to be found out before
// hours are spent on them. The error is a [*UserError].
func CheckOutput(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cannotWrite(dir, err)
	}
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return cannotWrite(dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// WriteFiles writes results.csv, summary.json and means.csv, which the command repeats, to a directory.
func (r *Result) WriteFiles(dir, command string) error {
	if err := WriteFile(filepath.Join(dir, CSVFile), r.WriteCSV); err != nil {
		return err
	}
	means := func(w io.Writer) error { return r.WriteMeans(w, command) }
	if err := WriteFile(filepath.Join(dir, MeansFile), means); err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, JSONFile), r.WriteSummary)
}

// WriteFile writes a file that is either complete or not there at all: nobody sees half of it, and when writing fails
// what was there before remains. An error of the file system is a [*UserError].
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return cannotWrite(path, err)
	}
	defer os.Remove(f.Name()) // does nothing once it is renamed
	defer f.Close()

	buffered := bufio.NewWriter(f)
	if err := write(buffered); err != nil {
		return cannotWrite(path, err)
	}
	if err := buffered.Flush(); err != nil {
		return cannotWrite(path, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return cannotWrite(path, err)
	}
	if err := f.Close(); err != nil {
		return cannotWrite(path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

func cannotWrite(path string, err error) error {
	return &UserError{Where: path, Message: "cannot write: " + reason(err), cause: err}
}
