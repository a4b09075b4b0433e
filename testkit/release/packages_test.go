package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// packages installs the packages of Linux, or reads them where their own tool is missing.
func packages(t *testing.T, dist string) {
	program := read(t, dist, "linux-"+runtime.GOARCH+"/memscribe")
	named := filepath.Join(dist, "memscribe_"+version+"_"+runtime.GOARCH)
	t.Run("deb", func(t *testing.T) {
		if _, err := exec.LookPath("dpkg"); err != nil {
			t.Skip("dpkg is not here")
		}
		root := t.TempDir()
		for _, dir := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, root, nil, "dpkg", "--root="+root, "--force-not-root", "--force-bad-path", "--install", named+".deb")
		works(t, filepath.Join(root, "usr/bin/memscribe"))
	})
	t.Run("rpm", func(t *testing.T) { unpacked(t, program, rpmFiles(t, read(t, "", named+".rpm"))) })
	t.Run("apk", func(t *testing.T) { unpacked(t, program, apkFiles(t, read(t, "", named+".apk"))) })
	t.Run("rpm installed", func(t *testing.T) {
		if _, err := exec.LookPath("rpm"); err != nil {
			t.Skip("rpm is not here")
		}
		root := t.TempDir()
		run(t, root, nil, "rpm", "--root", root, "--nodeps", "--noscripts", "--install", named+".rpm")
		works(t, filepath.Join(root, "usr/bin/memscribe"))
	})
}

// unpacked holds the files of a package to what a release has made, and runs the program.
func unpacked(t *testing.T, program []byte, files map[string][]byte) {
	t.Helper()
	if !bytes.Equal(files["usr/bin/memscribe"], program) {
		t.Errorf("the program has %d bytes, that of the release %d", len(files["usr/bin/memscribe"]), len(program))
	}
	for _, name := range []string{"usr/share/doc/memscribe/LICENSE-MIT", "usr/lib/systemd/user/memscribe.service", "usr/share/man/man1/memscribe.1.gz"} {
		if len(files[name]) == 0 {
			t.Errorf("it has no %s", name)
		}
	}
	to := filepath.Join(t.TempDir(), "memscribe")
	if err := os.WriteFile(to, files["usr/bin/memscribe"], 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	licensed(t, to, files["usr/share/doc/memscribe/THIRD-PARTY-LICENSES"])
	works(t, to)
}

// licensed holds the licences to the modules that a program says it is made of.
func licensed(t *testing.T, program string, licences []byte) {
	t.Helper()
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range info.Deps {
		if !bytes.Contains(licences, []byte("\n"+m.Path+" "+m.Version+"\n")) {
			t.Errorf("there is no licence of %s %s", m.Path, m.Version)
		}
	}
	if len(info.Deps) < 20 || !bytes.Contains(licences, []byte("Go and its standard library\n")) {
		t.Errorf("%d modules and no licence of Go", len(info.Deps))
	}
}

// apkFiles are the files of a package of Alpine: compressed archives, one after the other.
func apkFiles(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[filepath.Clean(h.Name)], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// rpmFiles are the files of a package of Red Hat: a lead of 96 bytes, two headers, and a
// compressed archive as cpio writes it.
func rpmFiles(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	if len(b) < 96 || !bytes.HasPrefix(b, []byte{0xed, 0xab, 0xee, 0xdb}) {
		t.Fatal("it is no package of Red Hat")
	}
	signature := headerSize(b[96:])
	at := 96 + (signature+7)/8*8
	at += headerSize(b[at:])
	unpack := exec.CommandContext(t.Context(), "xz", "-dc")
	unpack.Stdin = bytes.NewReader(b[at:])
	archive, err := unpack.Output()
	if err != nil {
		t.Fatal(err)
	}
	return cpioFiles(t, archive)
}

// headerSize is the size of a header: 16 bytes, 16 for each entry, and what these point to.
func headerSize(b []byte) int {
	return 16 + 16*int(binary.BigEndian.Uint32(b[8:])) + int(binary.BigEndian.Uint32(b[12:]))
}

// cpioFiles are the files of an archive with heads of 110 characters, all in hexadecimal.
func cpioFiles(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	number := func(at int) int {
		n, err := strconv.ParseUint(string(b[at:at+8]), 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	padded := func(n int) int { return (n + 3) / 4 * 4 }
	files := map[string][]byte{}
	for at := 0; at+110 <= len(b); {
		size, name := number(at+54), number(at+94)
		body := at + padded(110+name)
		files[strings.TrimLeft(string(b[at+110:at+110+name-1]), "./")] = b[body : body+size]
		at = body + padded(size)
	}
	return files
}
