package discover

import (
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/internal/stamp"
)

// Stamp is what a system says of a file without reading it. See [stamp.Stamp].
type Stamp = stamp.Stamp

// StampOf returns the stamp of a file that was found.
func StampOf(f File) (Stamp, bool) { return stamp.Of(f.Path, f.Info) }

// StampOpen returns the stamp of an open file.
func StampOpen(f *os.File) (Stamp, fs.FileInfo, error) { return stamp.Open(f) }
