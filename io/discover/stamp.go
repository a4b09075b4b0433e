package discover

import (
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/internal/filestate"
)

// Stamp is what a system says of a file without reading it. See [filestate.State].
type Stamp = filestate.State

// StampOf returns the stamp of a file that was found.
func StampOf(f File) (Stamp, bool) { return filestate.Of(f.Path, f.Info) }

// StampOpen returns the stamp of an open file.
func StampOpen(f *os.File) (Stamp, fs.FileInfo, error) { return filestate.Open(f) }
