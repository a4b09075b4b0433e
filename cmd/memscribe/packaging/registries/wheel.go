package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// pythonVersion returns a version as Python writes it: 1.2.3rc1 for 1.2.3-rc.1, and a build
// that is no release as 0.0.0+gabc.
func pythonVersion(v string) string {
	number, rest, found := strings.Cut(v, "-")
	if !found {
		return v
	}
	if n, ok := strings.CutPrefix(rest, "rc."); ok {
		return number + "rc" + n
	}
	return number + "+" + rest
}

// wheel writes the package of one system for Python. Its program goes among the scripts
// of the environment as it is.
func (r release) wheel(s system, program []byte) error {
	version := pythonVersion(r.version)
	name := "memscribe-" + version
	info := name + ".dist-info/"
	meta := "Metadata-Version: 2.1\nName: memscribe\nVersion: " + version +
		"\nSummary: Turn coding agents' transcripts into typed nodes\nHome-page: https://github.com/memscribe/memscribe\nLicense: MIT OR Apache-2.0\nRequires-Python: >=3.8\n"
	var head strings.Builder
	head.WriteString("Wheel-Version: 1.0\nGenerator: memscribe\nRoot-Is-Purelib: false\n")
	for platform := range strings.SplitSeq(s.wheel, ".") {
		head.WriteString("Tag: py3-none-" + platform + "\n")
	}
	along, err := r.licences()
	if err != nil {
		return err
	}
	files := []file{
		{name + ".data/scripts/" + s.program, 0o755, program},
		{info + "METADATA", 0o644, []byte(meta)},
		{info + "WHEEL", 0o644, []byte(head.String())},
	}
	for _, f := range along[1:] { // not the README
		files = append(files, file{info + f.name, f.mode, f.data})
	}
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	return r.zip(name+"-py3-none-"+s.wheel+".whl", append(files, file{info + "RECORD", 0o644, []byte(record.String())}))
}

// zip writes files that keep their modes.
func (r release) zip(name string, files []file) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.at}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(&h)
		if err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := w.Write(f.data); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.dist, name), b.Bytes(), 0o644); err != nil { //nolint:gosec // it is published
		return fmt.Errorf("write package: %w", err)
	}
	return nil
}
