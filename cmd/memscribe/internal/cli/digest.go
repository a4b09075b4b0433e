package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// digestKeySize is the size of the key of the digests in placeholders.
const digestKeySize = 32

// DigestKey is the key of the digests in placeholders. It lies in the state
// folder, for the user alone, and is made when it is first asked for.
func (a *App) digestKey() ([]byte, error) {
	dir, err := a.StateDir(a.StateFolder)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	name := filepath.Join(dir, "redact.key")
	key, err := readKey(name, a.OS)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create state folder: %w", err)
	}
	if err := writeKey(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create redaction key: %w", err)
	}
	return readKey(name, a.OS)
}

func readKey(name, system string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read redaction key: %w", err)
	}
	if mode := info.Mode().Perm(); system != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("read redaction key %s: others may read it too (%s): chmod 600 it, or remove it and have all nodes written again", name, mode)
	}
	key, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read redaction key: %w", err)
	}
	if len(key) != digestKeySize {
		return nil, fmt.Errorf("read redaction key %s: it has %d bytes, not %d", name, len(key), digestKeySize)
	}
	return key, nil
}

// writeKey makes a key. It appears under its name whole or not at all, and never
// in the place of another.
func writeKey(name string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".redact.key.*")
	if err != nil {
		return err
	}
	key := make([]byte, digestKeySize)
	_, err = rand.Read(key)
	if err == nil {
		_, err = f.Write(key)
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), name)
	}
	return errors.Join(err, os.Remove(f.Name()))
}
