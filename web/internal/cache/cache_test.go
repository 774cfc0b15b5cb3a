package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// folder is where the test's cache is.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "throng")
}

func TestWhatIsKeptIsNotMadeAgain(t *testing.T) {
	folder(t)
	made := 0
	double := func(b []byte) []byte { made++; return append(b[:len(b):len(b)], b...) }
	fine := func([]byte) bool { return true }
	for range 3 {
		if got := Of("test", []byte("ab"), double, fine); string(got) != "abab" {
			t.Fatalf("got %q", got)
		}
	}
	if Of("test", []byte("cd"), double, fine); made != 2 {
		t.Errorf("made %d times for two contents", made)
	}
}

func TestWhatIsWrongIsMadeAgain(t *testing.T) {
	dir := filepath.Join(folder(t), "test")
	same := func(b []byte) []byte { return b }
	right := func(b []byte) bool { return string(b) == "ab" }
	Of("test", []byte("ab"), same, right)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	file := filepath.Join(dir, files[0].Name())
	if err := os.WriteFile(file, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Of("test", []byte("ab"), same, right); string(got) != "ab" {
		t.Errorf("got %q out of a damaged cache", got)
	}
	if now, _ := os.ReadFile(file); string(now) != "ab" {
		t.Errorf("the damage stays: %q", now)
	}
}

func TestItDoesNotGrowForEver(t *testing.T) {
	dir := filepath.Join(folder(t), "test")
	for i := range 2 * kept {
		Of("test", fmt.Append(nil, i), bytes.Clone, func([]byte) bool { return true })
	}
	if files, _ := os.ReadDir(dir); len(files) != kept {
		t.Errorf("%d files are kept", len(files))
	}
	for i := range 2 * kept {
		last, err := Folder("folders", fmt.Sprint(i))
		if err == nil {
			_, err = os.Stat(last)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if folders, _ := os.ReadDir(filepath.Join(filepath.Dir(dir), "folders")); len(folders) != kept {
		t.Errorf("%d folders are kept", len(folders))
	}
}

// Whoever has no cache, or one that cannot be written, still gets a result.
func TestWithoutACache(t *testing.T) {
	dir := folder(t)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o644); err != nil { // where the folder should be
		t.Fatal(err)
	}
	if got := Of("test", []byte("ab"), bytes.Clone, func([]byte) bool { return true }); string(got) != "ab" {
		t.Errorf("got %q", got)
	}
	if got, err := Folder("test", "key"); err == nil {
		t.Errorf("got the folder %s", got)
	}
}

func TestFolders(t *testing.T) {
	folder(t)
	a, err := Folder("test", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Folder("test", "a", "b"); again != a {
		t.Errorf("%s and then %s for the same key", a, again)
	}
	if other, _ := Folder("test", "ab"); other == a {
		t.Error("two keys share a folder")
	}
}
