package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memscribe/memscribe/internal/durable"
)

// Prune deletes segments of the journals below a folder that were last written to before a time,
// and returns how many. The newest segment of a journal stays; a new one is begun, so that the
// old one can be deleted the next time. A missing folder is no error.
//
// A journal that another process has locked until ctx ends is not changed.
func Prune(ctx context.Context, dir string, before time.Time) (removed int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		all, err := segments(path)
		if err != nil || len(all) == 0 {
			return err
		}
		n, err := pruneFolder(ctx, path, before)
		removed += n
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return removed, fmt.Errorf("prune journals: %w", err)
	}
	return removed, nil
}

// LatestDays returns the beginnings of the latest days (UTC) on which journals below a folder
// were written to, at most n, the newest first. That there is no such folder is no error.
func LatestDays(dir string, n int) (days []time.Time, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != suffix {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > 0 {
			days = append(days, info.ModTime().UTC().Truncate(24*time.Hour))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("find the latest journals: %w", err)
	}
	slices.SortFunc(days, func(a, b time.Time) int { return b.Compare(a) })
	days = slices.CompactFunc(days, time.Time.Equal)
	return days[:min(n, len(days))], nil
}

// pruneFolder is Prune for one journal.
func pruneFolder(ctx context.Context, dir string, before time.Time) (removed int, err error) {
	unlock, locked, err := lock(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return 0, err
	}
	defer unlock()
	if !locked {
		return 0, ctx.Err()
	}
	all, err := segments(dir) // another process may have begun one
	if err != nil {
		return 0, err
	}
	for i, s := range all {
		info, err := os.Stat(s.path)
		switch {
		case err != nil:
			return removed, err
		case !info.ModTime().Before(before):
			continue
		case i < len(all)-1:
			if err = os.Remove(s.path); err != nil {
				return removed, err
			}
			removed++
		case s.size > 0:
			err = begin(dir, s.number+1)
		}
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// begin creates an empty segment. All later lines are written to it.
func begin(dir string, number int) error {
	f, err := os.OpenFile(segmentPath(dir, number), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(durable.Sync(dir), f.Close())
}

// segmentPath returns the path of a segment by its number.
func segmentPath(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("%06d%s", number, suffix))
}

// Rewrite calls f for every segment of the journals below a folder, with the journal locked, and
// returns the sum of what f returns. f may replace the file. A missing folder is no error.
func Rewrite(ctx context.Context, dir string, f func(path string) (int, error)) (sum int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		all, err := segments(path)
		if err != nil || len(all) == 0 {
			return err
		}
		n, err := rewriteFolder(ctx, path, f)
		sum += n
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sum, fmt.Errorf("rewrite journals: %w", err)
	}
	return sum, nil
}

// rewriteFolder is Rewrite for one journal.
func rewriteFolder(ctx context.Context, dir string, f func(path string) (int, error)) (sum int, err error) {
	unlock, locked, err := lock(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return 0, err
	}
	defer unlock()
	if !locked {
		return 0, ctx.Err()
	}
	all, err := segments(dir) // another may have begun one meanwhile
	for _, s := range all {
		n, failed := f(s.path)
		sum += n
		if err = failed; err != nil {
			break
		}
	}
	return sum, err
}
