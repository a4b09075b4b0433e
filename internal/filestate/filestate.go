// Package filestate identifies a file and detects changes without reading it.
//
// A [State] has the device, the inode (on Windows the volume and the file index), the size and
// the times of a file. Two equal states mean that the content is the same, with one exception: a
// write that keeps the size, within the resolution of the file system's clock. Linux and macOS
// also have the time of the inode's last change, which programs cannot set.
package filestate

import (
	"io/fs"
	"os"
)

// State is what the system says about a file without reading it: which file it is, and its size
// and times. A file whose state is unchanged was not written to, as far as the clock of its
// file system resolves.
//
//	written to          Size or Modified differ
//	replaced (rename)   Inode differs
//	touched back        Changed differs, though Modified was set to what it was
type State struct {
	Device, Inode uint64
	Size          int64
	Modified      int64 // nanoseconds since 1970
	Changed       int64 // the same for its inode; 0 where the system does not tell
}

// Identity tells files apart whatever their names. Hard links of one file have the same
// identity. An inode number may be used again for another file after a deletion.
type Identity struct{ Device, Inode uint64 }

// SameFile reports whether two stamps are of the same file, whatever its name.
func (s State) SameFile(o State) bool { return s.Device == o.Device && s.Inode == o.Inode }

// Of returns the stamp of the file at path, which info describes. It reports
// false if the system does not tell which file that is.
func Of(path string, info fs.FileInfo) (State, bool) {
	id, ok := Identify(path, info)
	return stamp(id, info), ok
}

// Open returns the stamp of an open file.
func Open(f *os.File) (State, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return State{}, nil, err
	}
	id, err := identifyOpen(f, info)
	return stamp(id, info), info, err
}

// stamp returns the state that an identity and a stat make up.
func stamp(id Identity, info fs.FileInfo) State {
	return State{
		Device: id.Device, Inode: id.Inode, Size: info.Size(),
		Modified: info.ModTime().UnixNano(), Changed: changeTime(info),
	}
}
