// Command image writes OCI container images from the programs in
// DIST/container-ARCH, for every architecture found, without a container engine:
//
//	image DIST VERSION DATE    writes DIST/memscribe-VERSION-oci.tar, an OCI image layout
//
// The same input gives the same bytes. "podman load -i", "skopeo copy oci-archive:" and
// "docker load -i" take it. It is made as packaging/Containerfile would make it.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// main writes the images of a release.
func main() {
	if len(os.Args) != 4 {
		_, _ = fmt.Fprintln(os.Stderr, "usage: image DIST VERSION DATE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "write image:", err)
		os.Exit(1)
	}
}

// user is who the program runs as: a number, which systems that forbid root want.
const user = 65532

// The media types of OCI.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// layout is an archive that is being written, with the blobs that are in it.
type layout struct {
	out  bytes.Buffer
	tar  *tar.Writer
	time time.Time
	err  error
}

// write writes an OCI layout with one image for each container-ARCH folder in dist, and an
// index over them.
func write(dist, version, date string) error {
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	folders, err := filepath.Glob(filepath.Join(dist, "container-*"))
	if err != nil || len(folders) == 0 {
		return fmt.Errorf("there is no %s/container-ARCH: %w", dist, os.ErrNotExist)
	}
	l := &layout{time: at}
	l.tar = tar.NewWriter(&l.out)
	l.dir("blobs/")
	l.dir("blobs/sha256/")
	var images []descriptor
	for _, dir := range folders {
		images = append(images, l.image(dir, version))
	}
	index := l.json(typeIndex, map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": images})
	index.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": "memscribe:" + version}
	top, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": []descriptor{index}})
	if err != nil {
		return err
	}
	l.file("index.json", top, 0o644)
	l.file("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644)
	if l.err == nil {
		l.err = l.tar.Close()
	}
	if l.err != nil {
		return l.err
	}
	return os.WriteFile(filepath.Join(dist, "memscribe-"+version+"-oci.tar"), l.out.Bytes(), 0o644) //nolint:gosec // it is published
}

// image adds the image of one architecture.
func (l *layout) image(dir, version string) descriptor {
	arch := strings.TrimPrefix(filepath.Base(dir), "container-")
	plain := l.layer(dir)
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(plain)
	}
	if err == nil {
		err = z.Close()
	}
	l.keep(err)
	config := l.json(typeConfig, map[string]any{
		"created": l.time, "architecture": arch, "os": "linux",
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", user, user), "WorkingDir": "/data", "Entrypoint": []string{"/usr/bin/memscribe"},
			"Volumes": map[string]any{"/data": map[string]any{}},
			"Env":     []string{"HOME=/data", "TMPDIR=/data", "XDG_DATA_HOME=/data", "XDG_STATE_HOME=/data/state", "XDG_CONFIG_HOME=/data/config"},
			"Labels":  map[string]string{"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT OR Apache-2.0"},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{digest(plain)}},
		"history": []any{map[string]any{"created": l.time, "created_by": "memscribe"}},
	})
	manifest := l.json(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{l.blob(typeLayer, packed.Bytes())},
	})
	manifest.Platform = map[string]string{"architecture": arch, "os": "linux"}
	return manifest
}

// layer returns the file system of an image.
func (l *layout) layer(dir string) []byte {
	in := &layout{time: l.time}
	in.tar = tar.NewWriter(&in.out)
	in.header(&tar.Header{Name: "data/", Typeflag: tar.TypeDir, Mode: 0o700, Uid: user, Gid: user})
	for _, name := range []string{"usr/", "usr/bin/", "usr/share/", "usr/share/doc/", "usr/share/doc/memscribe/"} {
		in.dir(name)
	}
	for _, f := range []struct {
		to   string
		mode int64
	}{
		{"usr/bin/memscribe", 0o755},
		{"usr/share/doc/memscribe/LICENSE-APACHE", 0o644},
		{"usr/share/doc/memscribe/LICENSE-MIT", 0o644},
		{"usr/share/doc/memscribe/THIRD-PARTY-LICENSES", 0o644},
	} {
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(f.to)))
		in.keep(err)
		in.file(f.to, b, f.mode)
	}
	in.keep(in.tar.Close())
	l.keep(in.err)
	return in.out.Bytes()
}

// json adds a blob of JSON, whose members are sorted.
func (l *layout) json(kind string, v any) descriptor {
	b, err := json.Marshal(v)
	l.keep(err)
	return l.blob(kind, b)
}

// blob adds bytes under their digest.
func (l *layout) blob(kind string, b []byte) descriptor {
	d := digest(b)
	l.file("blobs/"+strings.Replace(d, ":", "/", 1), b, 0o644)
	return descriptor{MediaType: kind, Digest: d, Size: len(b)}
}

// digest returns the digest of a blob as OCI writes it.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// dir adds a folder to the archive.
func (l *layout) dir(name string) {
	l.header(&tar.Header{Name: name, Typeflag: tar.TypeDir, Mode: 0o755})
}

// file adds a file to the archive.
func (l *layout) file(name string, b []byte, mode int64) {
	l.header(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: mode, Size: int64(len(b))})
	if l.err == nil {
		_, l.err = l.tar.Write(b)
	}
}

// header writes a header with the time of the release, so that the archive is
// reproducible. After an error it does nothing.
func (l *layout) header(h *tar.Header) {
	h.ModTime, h.Format = l.time, tar.FormatUSTAR
	if l.err == nil {
		l.err = l.tar.WriteHeader(h)
	}
}

// keep keeps the first error.
func (l *layout) keep(err error) {
	if l.err == nil {
		l.err = err
	}
}
