package discover

import (
	"io/fs"
	"os"
)

// Stamp is what a system says of a file without reading it: which one it is and
// what can be seen of a change. A file whose stamp is the same has not been
// written to, as far as the clock of its file system goes.
type Stamp struct {
	Device, Inode uint64
	Size          int64
	Modified      int64 // nanoseconds since 1970
	Changed       int64 // the same for its inode; 0 where the system does not tell
}

// SameFile reports whether two stamps are of the same file, whatever its name.
func (s Stamp) SameFile(o Stamp) bool { return s.Device == o.Device && s.Inode == o.Inode }

// StampOf returns the stamp of a file that was found.
func StampOf(f File) (Stamp, bool) {
	id, ok := identify(f.Path, f.Info)
	return stamp(id, f.Info), ok
}

// StampOpen returns the stamp of an open file.
func StampOpen(f *os.File) (Stamp, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return Stamp{}, nil, err
	}
	id, err := identifyOpen(f, info)
	return stamp(id, info), info, err
}

func stamp(id identity, info fs.FileInfo) Stamp {
	return Stamp{
		Device: id.device, Inode: id.inode, Size: info.Size(),
		Modified: info.ModTime().UnixNano(), Changed: changeTime(info),
	}
}
