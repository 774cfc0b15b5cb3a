package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"throng/live/replica"
	"throng/live/session"
	"throng/world/wire"
)

// Data is a folder in which a world outlives its processes: one folder in it for each of them that runs on this machine, called 1, 2
// and so on, with the log, a snapshot, and who the process is.

const (
	identityName   = "process"
	lockName       = "lock"
	identityFormat = 2
)

// identity is what a process has to know of itself to be the same one again.
type identity struct {
	Format   int    `json:"format"`
	Number   uint32 `json:"number"`   // among the world's processes
	Token    string `json:"token"`    // by which others join
	Founding []byte `json:"founding"` // the world
}

// slot is a process's own folder, which is nobody else's as long as it runs.
type slot struct {
	dir      string
	lock     *os.File
	identity *identity // nil for one that was never used
	shared   bool      // others in the same folder are in use
	files    *replica.Files
}

// openSlot takes a folder that nobody uses: one that has been a process's before rather than a new one, so that a world that was stopped
// is the same again.
func openSlot(data string) (*slot, error) {
	var fresh *slot
	shared := false
	for i := 1; i <= processesMax; i++ {
		dir := filepath.Join(data, strconv.Itoa(i))
		_, err := os.Stat(filepath.Join(dir, identityName))
		if used := err == nil; !used && fresh != nil {
			continue
		}
		s, err := lockSlot(dir)
		switch {
		case errors.Is(err, errLocked):
			shared = true
		case err != nil:
			fresh.close()
			return nil, err
		case s.identity != nil:
			fresh.close()
			return s, nil
		case fresh == nil:
			fresh = s
		default:
			s.close()
		}
	}
	if fresh == nil {
		return nil, fmt.Errorf("%s: all %d processes that there can be run already", data, processesMax)
	}
	fresh.shared = shared
	return fresh, nil
}

var errLocked = errors.New("another process uses it")

// lockSlot takes a folder, which is made if it is not there.
func lockSlot(dir string) (*slot, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	s := &slot{dir: dir, lock: lock}
	if s.identity, err = readIdentity(dir); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func readIdentity(dir string) (*identity, error) {
	name := filepath.Join(dir, identityName)
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	id := &identity{}
	if err := json.Unmarshal(text, id); err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", name, err)
	}
	if id.Format != identityFormat {
		return nil, fmt.Errorf("%s: was written by another version of the program (format %d, this one has %d)", name, id.Format, identityFormat)
	}
	return id, nil
}

// world is the world that a process was part of.
func (id *identity) world() (founding, error) {
	r := wire.NewReader(id.Founding)
	return readFounding(&r)
}

// Kept says which world a folder holds, if it holds one.
func Kept(data string) (d *session.Description, err error) {
	for i := 1; i <= processesMax; i++ {
		id, err := readIdentity(filepath.Join(data, strconv.Itoa(i)))
		if err != nil || id == nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		f, err := id.world()
		if err != nil {
			return nil, err
		}
		d = &session.Description{}
		return d, json.Unmarshal(f.description, d)
	}
	return nil, nil
}

// settle has the folder be a process's from now on.
func (s *slot) settle(number uint32, token string, f *founding) error {
	text, err := json.Marshal(&identity{Format: identityFormat, Number: number, Token: token, Founding: f.append(nil)})
	if err != nil {
		return err
	}
	name := filepath.Join(s.dir, identityName)
	file, err := os.OpenFile(name+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// open opens the log. Whatever a folder holds that is no process's is what one has left that died before it was one.
func (s *slot) open() (replica.Disk, error) {
	if s == nil {
		return replica.NoDisk{}, nil
	}
	if s.identity == nil {
		if err := s.wipe(); err != nil {
			return nil, err
		}
	}
	files, err := replica.OpenFiles(s.dir)
	if err != nil {
		return nil, err
	}
	s.files = files
	return files, nil
}

// wipe forgets what a folder holds.
func (s *slot) wipe() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != lockName {
			if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// close lets go of the folder.
func (s *slot) close() {
	if s == nil {
		return
	}
	if s.files != nil {
		s.files.Close()
	}
	s.lock.Close()
}
