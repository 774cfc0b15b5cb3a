package record

import (
	"os"

	"throng/lab/sim"
)

// PartSuffix marks files that are still being written, or whose program was killed.
const PartSuffix = ".part"

// Create has a run that has not started yet recorded to a file. The file gets its name when the recording is closed; until
// then it is called path.part.
func Create(r *sim.Run, path string, opts Options) (*Writer, error) {
	f, err := createFile(path)
	if err != nil {
		return nil, err
	}
	w, err := Attach(r, f, opts)
	if err != nil {
		f.discard()
		return nil, err
	}
	w.file = f
	return w, nil
}

// file is a file under a temporary name.
type file struct {
	*os.File
	path string
}

func createFile(path string) (*file, error) {
	f, err := os.Create(path + PartSuffix)
	if err != nil {
		return nil, err
	}
	return &file{f, path}, nil
}

// commit gives the file, once it is safely on the disk, its final name.
func (f *file) commit() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.path)
}

// discard removes the file. It is called when something has gone wrong already, or when nobody wants the file; what goes
// wrong here as well is not worth telling.
func (f *file) discard() {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
