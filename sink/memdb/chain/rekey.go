package chain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/note"

	"github.com/memscribe/memscribe/internal/durable"
)

// Key is a new key that is not installed yet.
type Key struct{ secret, public string }

// NewKey creates a key from random.
func NewKey(random io.Reader) (*Key, error) {
	secret, public, err := note.GenerateKey(random, origin)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	return &Key{secret, public}, nil
}

// Sum returns the hash of the verifier key, by which an entry of the chain names the key.
func (k *Key) Sum() string { return Sum([]byte(k.public)) }

// Remains are the files of an earlier key in its folder.
type Remains struct {
	Checkpoint string // the text; "" if there is none
	public     string
	verifier   *Verifier
}

// ReadRemains reads the files of an earlier key in a folder. All of them may be missing.
func ReadRemains(dir string) (r Remains, err error) {
	if r.Checkpoint, err = readIfThere(checkpointFile(dir)); err != nil {
		return r, fmt.Errorf("read checkpoint: %w", err)
	}
	if r.public, err = readIfThere(verifierFile(dir)); err != nil {
		return r, fmt.Errorf("read verifier key: %w", err)
	}
	// A key that cannot be read is replaced.
	r.verifier, _ = OpenVerifier(dir)
	return r, nil
}

// readIfThere returns the content of a file, or "" if it does not exist.
func readIfThere(name string) (string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Head returns the head that the earlier key signed last, or the zero Head if that is not known.
func (r *Remains) Head() Head {
	if r.verifier == nil {
		return Head{}
	}
	h, err := r.verifier.Read(r.Checkpoint)
	if err != nil {
		return Head{}
	}
	return h
}

// Heads returns the heads that the earlier key signed last, or nil if that is not known.
func (r *Remains) Heads() Heads {
	if r.verifier == nil {
		return nil
	}
	h, err := r.verifier.ReadHeads(r.Checkpoint)
	if err != nil {
		return nil
	}
	return h
}

// Install replaces an earlier key by this one; sign saves the first checkpoint with it. The
// earlier checkpoint and verifier key are kept under the first free number, and their names
// returned. The earlier secret is deleted.
func (k *Key) Install(dir string, old Remains, sign func(*Signer) error) (kept []string, err error) {
	if err = durable.Create(dir); err != nil {
		return nil, err
	}
	number := firstFree(dir)
	for _, f := range []struct{ name, text string }{{checkpointFile(dir), old.Checkpoint}, {verifierFile(dir), old.public}} {
		if f.text == "" {
			continue
		}
		name := fmt.Sprintf("%s.%d", f.name, number)
		if err = replaceFile(name, f.text); err != nil {
			return kept, fmt.Errorf("keep the old checkpoint: %w", err)
		}
		kept = append(kept, name)
	}
	signer, err := note.NewSigner(k.secret)
	if err != nil {
		return kept, err
	}
	if err = errors.Join(replaceFile(keyFile(dir), k.secret), replaceFile(verifierFile(dir), k.public)); err != nil {
		return kept, fmt.Errorf("write signing key: %w", err)
	}
	if err = sign(&Signer{signer}); err != nil {
		return kept, err
	}
	return kept, durable.Sync(dir)
}

// firstFree returns the first number that no kept file in a folder has.
func firstFree(dir string) int {
	for n := 1; ; n++ {
		found, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("memdb.*.%d", n)))
		if err != nil || len(found) == 0 {
			return n
		}
	}
}
