package app

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"testing"
)

// watched starts a server on this machine whose recordings are in a folder of the test's own.
func watched(t *testing.T) (url, folder string, stop func()) {
	t.Helper()
	folder = t.TempDir()
	t.Setenv("TMPDIR", folder)
	ctx, cancel := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "2")
	return url, folder, func() { cancel(); <-ended }
}

// What is really so, and the recordings of it, are for this machine: not for who comes through a proxy that nobody has told the server of, for
// another site's page, for a form in a sandbox, whose origin is null, nor for a page that has had its own name lead here.
func TestTheTruthIsForThisMachine(t *testing.T) {
	url, _, stop := watched(t)
	defer stop()
	for _, what := range [][2]string{{"GET", "/api/truth"}, {"POST", "/api/recording?on=true"}, {"GET", "/api/recordings"}, {"GET", "/api/recordings/x"}} {
		for _, header := range [][]string{
			{"Host", "rebound.example"}, {"Host", "rebound.example", "Origin", "http://rebound.example"}, {"Origin", "null"}, {"Origin", "https://elsewhere.example"},
			{"Sec-Fetch-Site", "cross-site"}, {"X-Forwarded-For", "192.0.2.1"}, {"Forwarded", "for=192.0.2.1"},
		} {
			if status, body := ask(t, what[0], url+what[1], header...); status != http.StatusForbidden {
				t.Errorf("%v for %v: %d %.80s", what, header, status, body)
			}
		}
	}
	for _, path := range []string{"/api/truth", "/api/recordings"} {
		if status, body := ask(t, "GET", url+path, "Sec-Fetch-Site", "same-origin"); status != http.StatusOK {
			t.Errorf("%s: %d %.80s", path, status, body)
		}
	}
}

// What a request says in its body is not read: a form of files would be written to the disk, however large it is.
func TestFormsAreNotRead(t *testing.T) {
	url, _, stop := watched(t)
	defer stop()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("on", "true")
	form.WriteField("everybody", "1")
	form.Close()
	for path, want := range map[string]int{"/api/recording": http.StatusConflict, "/api/mechanisms/lockstep": http.StatusOK} {
		reply, err := http.Post(url+path, form.FormDataContentType(), bytes.NewReader(body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != want {
			t.Errorf("%s: %s", path, reply.Status)
		}
	}
	if _, info := ask(t, "GET", url+"/api/info"); !bytes.Contains([]byte(info), []byte(`"mechanism":"central"`)) {
		t.Errorf("everybody was moved: %s", info)
	}
}

// A recording that somebody on the page began ends with the world, in good order.
func TestARecordingEndsWithItsWorld(t *testing.T) {
	url, folder, stop := watched(t)
	for _, on := range []string{"true", "false", "true"} {
		if status, body := ask(t, "POST", url+"/api/recording?on="+on); status != http.StatusOK {
			t.Errorf("%s: %d %s", on, status, body)
		}
	}
	if status, body := ask(t, "POST", url+"/api/mechanisms/lockstep"); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := ask(t, "POST", url+"/room/crowd.lockstep/api/recording?on=true"); status != http.StatusOK {
		t.Errorf("in another room: %d %s", status, body)
	}
	stop()
	whole, _ := filepath.Glob(filepath.Join(folder, "*", "*.throng"))
	torn, _ := filepath.Glob(filepath.Join(folder, "*", "*.part"))
	if len(whole) != 3 || len(torn) != 0 {
		t.Errorf("whole %v, torn %v", whole, torn)
	}
}
