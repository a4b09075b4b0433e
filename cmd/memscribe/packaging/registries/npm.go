package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// manifest is as much of package.json as these packages have.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  string            `json:"repository"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	// a program cannot be run out of a zip file
	PreferUnplug bool `json:"preferUnplugged,omitempty"`
}

// manifest returns the members of package.json that all packages share.
func (r release) manifest(name string) manifest {
	return manifest{
		Name: name, Version: r.version, Description: "Turn coding agents' transcripts into typed nodes",
		License: "MIT OR Apache-2.0", Repository: "github:memscribe/memscribe",
	}
}

// npmName returns the package of one system.
func (s system) npmName() string { return "@memscribe/" + s.os + "-" + s.cpu }

// npm writes the package of one system: its program and nothing that runs when it is installed.
func (r release) npm(s system, program []byte) error {
	m := r.manifest(s.npmName())
	m.OS, m.CPU, m.PreferUnplug = []string{s.os}, []string{s.cpu}, true
	return r.npmWrite("memscribe-npm-"+s.os+"-"+s.cpu, m, file{s.program, 0o755, program})
}

//go:embed memscribe.js
var shim []byte

// npmMain writes the package that people name.
func (r release) npmMain() error {
	m := r.manifest("memscribe")
	m.Bin, m.Optional = map[string]string{"memscribe": "memscribe.js"}, map[string]string{}
	for _, s := range systems() {
		m.Optional[s.npmName()] = r.version
	}
	return r.npmWrite("memscribe-npm", m, file{"memscribe.js", 0o755, shim})
}

// npmWrite writes one npm package: its manifest, the licences and a file.
func (r release) npmWrite(name string, m manifest, with file) error {
	files, err := r.licences()
	if err != nil {
		return err
	}
	head, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write package.json: %w", err)
	}
	files = append([]file{{"package.json", 0o644, append(head, '\n')}, with}, files...)
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		h := tar.Header{Name: "package/" + f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(&h); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := t.Write(f.data); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	to := filepath.Join(r.dist, name+"-"+r.version+".tgz")
	if err := os.WriteFile(to, b.Bytes(), 0o644); err != nil { //nolint:gosec // it is published
		return fmt.Errorf("write package: %w", err)
	}
	return nil
}
