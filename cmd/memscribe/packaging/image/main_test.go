package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files are those of an archive, and the modes and owners of all that is in it.
func files(t *testing.T, archive []byte) (map[string][]byte, map[string]tar.Header) {
	t.Helper()
	all, headers := map[string][]byte{}, map[string]tar.Header{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[h.Name], headers[h.Name] = b, *h
	}
}

// image is what a container engine reads of a layout.
type image struct {
	Manifests []descriptor
	Config    descriptor
	Layers    []descriptor
}

// open reads a blob that a descriptor names, and holds it to its digest and size.
func open(t *testing.T, all map[string][]byte, d descriptor, to any) []byte {
	t.Helper()
	b, ok := all["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]
	if !ok || digest(b) != d.Digest || len(b) != d.Size {
		t.Fatalf("blob %+v: there %t, %d bytes, %s", d, ok, len(b), digest(b))
	}
	if to != nil {
		if err := json.Unmarshal(b, to); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestImage writes an image of two architectures, twice, and reads it as an engine does.
func TestImage(t *testing.T) {
	dist := t.TempDir()
	for _, name := range []string{
		"amd64/memscribe", "amd64/LICENSE-MIT", "amd64/LICENSE-APACHE", "amd64/THIRD-PARTY-LICENSES",
		"arm64/memscribe", "arm64/LICENSE-MIT", "arm64/LICENSE-APACHE", "arm64/THIRD-PARTY-LICENSES",
	} {
		at := filepath.Join(dist, "container-"+name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made := func() []byte {
		if err := write(dist, "1.2.3", "2026-01-02T03:04:05Z"); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dist, "memscribe-1.2.3-oci.tar"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	archive := made()
	if !bytes.Equal(archive, made()) {
		t.Error("two images of the same input differ")
	}
	all, _ := files(t, archive)
	var top, index image
	if err := json.Unmarshal(all["index.json"], &top); err != nil || len(top.Manifests) != 1 || string(all["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Fatalf("%v, %+v, %s", err, top, all["oci-layout"])
	}
	open(t, all, top.Manifests[0], &index)
	if len(index.Manifests) != 2 {
		t.Fatalf("%d images", len(index.Manifests))
	}
	for i, arch := range []string{"amd64", "arm64"} {
		checkImage(t, all, index.Manifests[i], arch)
	}
}

func checkImage(t *testing.T, all map[string][]byte, d descriptor, arch string) {
	t.Helper()
	var m image
	var c struct {
		Architecture string
		Config       struct {
			User       string
			Entrypoint []string
		}
		Rootfs struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	open(t, all, d, &m)
	open(t, all, m.Config, &c)
	if d.Platform["architecture"] != arch || c.Architecture != arch || c.Config.User != "65532:65532" || c.Config.Entrypoint[0] != "/usr/bin/memscribe" {
		t.Errorf("%+v, %+v", d, c)
	}
	z, err := gzip.NewReader(bytes.NewReader(open(t, all, m.Layers[0], nil)))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(z)
	if err != nil || digest(layer) != c.Rootfs.DiffIDs[0] {
		t.Errorf("the layer is %s, the configuration has %s, %v", digest(layer), c.Rootfs.DiffIDs, err)
	}
	held, headers := files(t, layer)
	if string(held["usr/bin/memscribe"]) != arch+"/memscribe" || headers["usr/bin/memscribe"].Mode != 0o755 {
		t.Errorf("the program is %q, %o", held["usr/bin/memscribe"], headers["usr/bin/memscribe"].Mode)
	}
	if h := headers["data/"]; h.Uid != user || h.Mode != 0o700 {
		t.Errorf("/data is %d's, %o", h.Uid, h.Mode)
	}
}

func TestNothingToPack(t *testing.T) {
	if err := write(t.TempDir(), "1.2.3", "2026-01-02T03:04:05Z"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
