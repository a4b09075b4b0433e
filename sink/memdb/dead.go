package memdb

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// deadLetters is a file of memories that a server refused for good, one on each line with the
// reason:
//
//	{"id":"decision:1","reason":"…","memory":{"id":"decision:1","kind":"decision",…}}
//
// The file only grows; memscribe doctor counts its lines.
type deadLetters struct {
	path string
	log  *slog.Logger
	held map[string]string // by id: the reason that is in the file
}

// letter is a line of the file.
type letter struct {
	ID     string          `json:"id"`
	Reason string          `json:"reason"`
	Memory api.MemoryWrite `json:"memory"`
}

// openDead reads the ids of the memories in the file. If there are any, it logs a warning,
// since a person should look at them.
func openDead(path string, log *slog.Logger) (*deadLetters, error) {
	d := &deadLetters{path: path, log: log, held: map[string]string{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read dead letters: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4*api.MaxBody)
	for lines.Scan() {
		var l letter
		if json.Unmarshal(lines.Bytes(), &l) == nil { // what a crash left of a line is none
			d.held[l.ID] = l.Reason
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read dead letters %s: %w", path, err)
	}
	if len(d.held) > 0 {
		d.log.Warn("memories were refused", slog.Int("count", len(d.held)), slog.String("file", path))
	}
	return d, nil
}

// add appends a memory, unless the file already has it with the same reason.
func (d *deadLetters) add(m *api.MemoryWrite, reason error) error {
	if d.held[m.ID] == reason.Error() {
		return nil
	}
	line, err := json.Marshal(&letter{m.ID, reason.Error(), *m})
	if err != nil {
		return fmt.Errorf("write dead letter: %w", err)
	}
	if err = os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return fmt.Errorf("write dead letter: %w", err)
	}
	f, err := os.OpenFile(d.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write dead letter: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write dead letter: %w", err)
	}
	d.held[m.ID] = reason.Error()
	d.log.Warn("memory is refused", slog.String("memory", m.ID), slog.String("reason", reason.Error()), slog.String("file", d.path))
	return nil
}
