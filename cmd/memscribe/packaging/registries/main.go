// Command registries packs the programs of a release for npm and PyPI: one package
// per system and, for npm, the main package that depends on them.
//
//	registries DIST VERSION
//
// The programs are those in DIST/linux-amd64 and so on; a system that has no folder is left out of
// what is made. Times are SOURCE_DATE_EPOCH: the same programs give the same bytes.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// system is one that programs are made for, and what the registries call it.
type system struct {
	dir, program string
	os, cpu      string // npm's
	wheel        string // Python's
}

// systems lists the systems of a release with the names that npm and PyPI give them.
func systems() []system {
	return []system{
		{"linux-amd64", "memscribe", "linux", "x64", "manylinux_2_17_x86_64.musllinux_1_1_x86_64"},
		{"linux-arm64", "memscribe", "linux", "arm64", "manylinux_2_17_aarch64.musllinux_1_1_aarch64"},
		{"darwin-amd64", "memscribe", "darwin", "x64", "macosx_12_0_x86_64"},
		{"darwin-arm64", "memscribe", "darwin", "arm64", "macosx_12_0_arm64"},
		{"windows-amd64", "memscribe.exe", "win32", "x64", "win_amd64"},
		{"windows-arm64", "memscribe.exe", "win32", "arm64", "win_arm64"},
	}
}

// release is where the programs are and what they are called.
type release struct {
	dist, version string
	at            time.Time
}

// main packs the release in a folder for npm and PyPI.
func main() {
	if err := pack(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// pack packs all packages. The time in SOURCE_DATE_EPOCH becomes that of every file, so
// that the same release gives the same bytes.
func pack(args []string, epoch string) error {
	if len(args) != 2 {
		return errors.New("pack for registries: it takes a folder and a version")
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("read SOURCE_DATE_EPOCH: %w", err)
	}
	r := release{args[0], args[1], time.Unix(seconds, 0).UTC()}
	for _, s := range systems() {
		program, err := os.ReadFile(filepath.Join(r.dist, s.dir, s.program))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read program: %w", err)
		}
		if err := r.npm(s, program); err != nil {
			return err
		}
		if err := r.wheel(s, program); err != nil {
			return err
		}
	}
	return r.npmMain()
}

// file is one of a package.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// licences returns the files that stand in every package.
func (r release) licences() (out []file, err error) {
	for _, name := range []string{"README.md", "LICENSE-MIT", "LICENSE-APACHE", filepath.Join(r.dist, "THIRD-PARTY-LICENSES")} {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read what goes along: %w", err)
		}
		out = append(out, file{filepath.Base(name), 0o644, b})
	}
	return out, nil
}
