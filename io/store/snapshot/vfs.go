package snapshot

import (
	"io"
	"io/fs"
	"time"
)

// FileName is the name of the database for SQLite.
const FileName = "db"

// Files is the file system that SQLite sees. It has one file, the snapshot, under FileName.
type Files struct{ view *Snapshot }

// Files returns the snapshot as a file system. It always shows the present view.
func (v *Snapshot) Files() Files { return Files{v} }

// Open implements [fs.FS].
func (f Files) Open(name string) (fs.File, error) {
	if name != FileName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &handle{view: f.view}, nil
}

// handle is the open file of the snapshot. It can only be read.
type handle struct {
	view *Snapshot
	at   int64
}

// Seek implements [io.Seeker] for SQLite.
func (h *handle) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += h.at
	default:
		offset += h.view.Size()
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	h.at = offset
	return offset, nil
}

// Read implements [io.Reader]. It continues where the last Read ended.
func (h *handle) Read(p []byte) (int, error) {
	n, err := h.view.ReadAt(p, h.at)
	h.at += int64(n)
	return n, err
}

// Close and Stat implement [fs.File]. The view stays open: its owner closes it.
func (h *handle) Close() error               { return nil }
func (h *handle) Stat() (fs.FileInfo, error) { return info{h.view.Size()}, nil }

// info has the size of the view; SQLite asks for nothing else.
type info struct{ size int64 }

func (info) Name() string       { return FileName }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o400 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
