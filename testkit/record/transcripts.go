package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/verify/corpus"
)

// newest finds the session in the name of the latest transcript.
func (s *session) newest() string {
	newest, at := "", time.Time{}
	idOf := rolloutID
	if c, ok := s.client.(named); ok {
		idOf = c.sessionID
	}
	_ = s.eachTranscript(func(file string, d fs.DirEntry) error {
		if info, err := d.Info(); err == nil && info.ModTime().After(at) {
			newest, at = cmp.Or(idOf(filepath.Base(file)), idOf(file)), info.ModTime()
		}
		return nil
	})
	return newest
}

// transcriptOf finds the transcript of a session by its name.
func (s *session) transcriptOf(id string) (string, error) {
	found := ""
	err := s.eachTranscript(func(file string, _ fs.DirEntry) error {
		if id != "" && strings.Contains(filepath.Base(file), id) {
			found = file
		}
		return nil
	})
	if err == nil && found == "" {
		err = fmt.Errorf("find transcript of session %q: it is not there", id)
	}
	return found, err
}

// eachTranscript visits the tool's transcripts.
func (s *session) eachTranscript(visit func(file string, d fs.DirEntry) error) error {
	return filepath.WalkDir(s.home, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.home, at)
		if err != nil || d.IsDir() || !corpus.IsTranscript(s.job.Tool, "home/"+filepath.ToSlash(rel)) {
			return err
		}
		return visit(at, d)
	})
}

// transcripts shows every line of the transcripts.
func (s *session) transcripts(each func(line []byte)) error {
	return s.eachTranscript(func(file string, _ fs.DirEntry) error {
		data, err := os.ReadFile(file)
		for line := range bytes.Lines(data) {
			each(line)
		}
		return err
	})
}

// age makes what is in the home as old as if no one had done anything for days: a
// tool looks at the times of files of its own, too.
func (s *session) age(days int) error {
	if days == 0 {
		return nil
	}
	err := filepath.WalkDir(s.home, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case at == s.work:
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		then := info.ModTime().AddDate(0, 0, -days)
		return os.Chtimes(at, then, then)
	})
	if err != nil {
		return fmt.Errorf("make files older: %w", err)
	}
	return nil
}

// packed waits until the tool has packed a transcript.
func (s *session) packed(ctx context.Context) error {
	for {
		done := false
		err := s.eachTranscript(func(file string, _ fs.DirEntry) error {
			done = done || strings.HasSuffix(file, ".zst")
			return nil
		})
		if err != nil || done {
			return err
		}
		if err := pause(ctx, look); err != nil {
			return err
		}
	}
}
