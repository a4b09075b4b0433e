package gitrepo

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/internal/smallfile"
)

// The bounds of the cache: files, and bytes of each.
const (
	maxKept      = 512
	maxKeptBytes = 8 << 20
)

// KeptFolder is the name of the cache folder within the state folder.
const KeptFolder = "git"

// Discard deletes all cached files of a folder and returns how many there were. With dry it
// only counts.
func Discard(dir string, dry bool) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		if !dry && err == nil {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	if err != nil {
		return 0, fmt.Errorf("discard what git said: %w", err)
	}
	return len(entries), nil
}

// keptFile returns the name under which what is known of a file is kept.
func keptFile(dir, root, path string) string {
	if dir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(root + "\x00" + path))
	return filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")
}

// readKept reads what is kept. What is damaged is as good as not there: git knows it.
func readKept(file string) (k kept) {
	if file == "" {
		return k
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxKeptBytes {
		return k
	}
	b, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(b, &k) != nil {
		return kept{}
	}
	return k
}

// write keeps what is known. That it cannot be kept is no error: the next question
// takes longer.
func (p *Past) write() {
	if p.file == "" {
		return
	}
	b, err := json.Marshal(p.kept)
	if err != nil || len(b) > maxKeptBytes {
		return
	}
	dir := filepath.Dir(p.file)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	makeRoom(dir)
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if cmp.Or(err, f.Close()) != nil || os.Rename(f.Name(), p.file) != nil {
		os.Remove(f.Name()) // it is kept no worse than before
	}
}

// makeRoom removes the files that were written longest ago.
func makeRoom(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < maxKept {
		return
	}
	age := func(e os.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(age(a), age(b)) })
	for _, e := range entries[:len(entries)-maxKept/2] {
		os.Remove(filepath.Join(dir, e.Name())) // tried again with the next one
	}
}

// maxIgnored bounds the file of ignored revisions.
const maxIgnored = 16 << 20

// ignoredSum returns the digest of the revisions that blame leaves out, "" without any.
func (r *Repo) ignoredSum() string {
	b, err := smallfile.Read(filepath.Join(r.Root, ignoredRevisions), maxIgnored)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
