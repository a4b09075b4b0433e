package release

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// seed is the key that the tests sign with.
func seed() string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)) }

// installer runs install.sh against a server on this machine, as it is and with bytes
// of the release changed.
func installer(t *testing.T, dist string) {
	// What is fetched depends on what can unpack it.
	for tool, unpacker := range map[string]string{"ssh-keygen": "xz", "openssl": "gzip"} {
		t.Run("install.sh with "+tool+" and "+unpacker, func(t *testing.T) {
			path := pathWith(t, tool, unpacker)
			archive := "memscribe-" + version + "-linux-" + runtime.GOARCH + map[string]string{"xz": ".tar.xz", "gzip": ".tar.gz"}[unpacker]
			for name, flip := range map[string]string{"sum": archive, "sums": "SHA256SUMS", "signature": "SHA256SUMS.sig", "minisign": "SHA256SUMS.minisig"} {
				if unread := map[string]string{"ssh-keygen": "minisign", "openssl": "signature"}; unread[tool] == name {
					continue
				}
				out, into, err := installed(t, dist, path, flip)
				if err == nil || !strings.Contains(out, "nothing was installed") {
					t.Errorf("a flipped byte in %s: %v\n%s", flip, err, out)
				}
				if _, err := os.Stat(filepath.Join(into, "memscribe")); err == nil {
					t.Errorf("a flipped byte in %s: it is installed", flip)
				}
			}
			out, into, err := installed(t, dist, path, "")
			if err != nil || !strings.Contains(out, "checked with "+tool) {
				t.Fatalf("%v\n%s", err, out)
			}
			works(t, filepath.Join(into, "memscribe"))
			said := run(t, into, nil, filepath.Join(into, "memscribe"), "version", "--verify", filepath.Join(dist, "SHA256SUMS"), "--key", filepath.Join(dist, "memscribe.pub"))
			if !strings.Contains(said, "is linux-"+runtime.GOARCH+"/memscribe, and its sum is signed") {
				t.Error(said)
			}
			run(t, into, nil, "sh", filepath.Join(dist, "install.sh"), "--dir", into, "--uninstall")
			if left, err := os.ReadDir(into); err != nil || len(left) > 0 {
				t.Errorf("it leaves %v, %v", left, err)
			}
		})
	}
	t.Run("install.sh with nothing that checks", func(t *testing.T) {
		if out, _, err := installed(t, dist, pathWith(t), ""); err == nil || !strings.Contains(out, "nothing here can check") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// updates asks a server which release is the newest, and flips a bit in its answer.
func updates(t *testing.T, dist string) {
	t.Run("update --check", func(t *testing.T) {
		program := filepath.Join(dist, "linux-"+runtime.GOARCH, "memscribe")
		ask := func(flip string) (string, error) {
			from := served(t, dist, flip) + "/memscribe.latest"
			return tried(t, t.TempDir(), nil, program, "update", "--check", "--key", filepath.Join(dist, "memscribe.pub"), "--url", from)
		}
		if out, err := ask(""); err != nil || !strings.Contains(out, "v"+version+" of 2026-01-02") {
			t.Errorf("%v\n%s", err, out)
		}
		if out, err := ask("memscribe.latest"); err == nil || !strings.Contains(out, "check signature") {
			t.Errorf("a flipped bit: %v\n%s", err, out)
		}
	})
}

// served serves a release on this machine, with a bit flipped in one file.
func served(t *testing.T, dist, flip string) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(filepath.Join(dist, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if filepath.Base(r.URL.Path) == flip {
			b[len(b)/3+2] ^= 1 // not the end of a line, which no signature covers
		}
		_, _ = w.Write(b)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// installed runs install.sh from a server that flips a bit in one file.
func installed(t *testing.T, dist, path, flip string) (said, into string, err error) {
	t.Helper()
	into = filepath.Join(t.TempDir(), "bin")
	said, err = tried(t, t.TempDir(), []string{"PATH=" + path, "HOME=" + t.TempDir()}, "/bin/sh", filepath.Join(dist, "install.sh"), "--dir", into, "--from", served(t, dist, flip))
	return said, into, err
}

// pathWith is a folder of what install.sh always uses, and of some tools that check or unpack.
func pathWith(t *testing.T, tools ...string) string {
	t.Helper()
	dir := t.TempDir()
	always := []string{"uname", "mkdir", "mktemp", "curl", "tail", "grep", "sed", "tr", "cut", "awk", "sha256sum", "tar", "chmod", "cp", "mv", "rm"}
	for _, name := range append(always, tools...) {
		at, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not here", name)
		}
		if err := os.Symlink(at, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
