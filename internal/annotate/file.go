package annotate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/durable"
)

// maxFile bounds what is read of a file of annotations.
const maxFile = 256 << 20

// FileOf returns the file of the annotations of a database: of nodes.db it is
// nodes.annotations.ndjson, which no 'rm nodes.db*' takes along.
func FileOf(database string) string {
	return strings.TrimSuffix(database, filepath.Ext(database)) + ".annotations.ndjson"
}

// Read reads the annotations of a file. A file that is not there has none. A last line
// without its end was never completed, and does not count; any other that is none of
// ours is an error.
func Read(name string) ([]Annotation, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read annotations: %w", err)
	}
	all, err := Parse(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read annotations %s: %w", name, err)
	}
	return all, nil
}

// Parse reads annotations, a JSON object a line.
func Parse(r io.Reader) (all []Annotation, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("more than %d bytes", maxFile)
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if text[len(text)-1] != '\n' || len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var a Annotation
		err := json.Unmarshal(text, &a)
		if err == nil {
			err = a.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		all = append(all, a)
	}
	return all, nil
}

// Append adds annotations to a file, which it makes for the user alone. What it returns
// from survives a loss of power.
func Append(name string, all []Annotation) error {
	if len(all) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for i := range all {
		if err := all[i].check(); err != nil {
			return err
		}
	}
	if err := Write(&lines, all); err != nil {
		return err
	}
	if err := durable.Create(filepath.Dir(name)); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	err = cutTorn(f)
	if err == nil {
		_, err = f.Write(lines.Bytes())
	}
	if err = errors.Join(err, f.Sync(), f.Close(), durable.Sync(filepath.Dir(name))); err != nil {
		return fmt.Errorf("write annotations %s: %w", name, err)
	}
	return nil
}

// Write writes annotations as a file has them.
func Write(w io.Writer, all []Annotation) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range all {
		if err := e.Encode(&all[i]); err != nil {
			return fmt.Errorf("write annotations: %w", err)
		}
	}
	return nil
}

// cutTorn takes away a last line that was never completed: by a crash within a write.
func cutTorn(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for end := info.Size(); ; end-- {
		var last [1]byte
		if end > 0 {
			if _, err := f.ReadAt(last[:], end-1); err != nil {
				return err
			}
		}
		if end == 0 || last[0] == '\n' {
			if end == info.Size() {
				return nil
			}
			return f.Truncate(end)
		}
	}
}

// Drop takes annotations out of a file, and returns how many. The file is replaced once the
// new one is complete.
func Drop(name string, gone func(*Annotation) bool) (int, error) {
	all, err := Read(name)
	if err != nil {
		return 0, err
	}
	left := slices.DeleteFunc(slices.Clone(all), func(a Annotation) bool { return gone(&a) })
	if len(left) == len(all) {
		return 0, nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return 0, fmt.Errorf("write annotations: %w", err)
	}
	err = errors.Join(Write(f, left), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return 0, errors.Join(fmt.Errorf("write annotations %s: %w", name, err), os.Remove(f.Name()))
	}
	return len(all) - len(left), durable.Sync(filepath.Dir(name))
}
