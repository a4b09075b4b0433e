package discover

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// identity tells files apart whatever their names.
type identity struct{ device, inode uint64 }

func identify(path string, _ fs.FileInfo) (identity, bool) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return identity{}, false
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	h, err := syscall.CreateFile(name, 0, share, nil, syscall.OPEN_EXISTING, syscall.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return identity{}, false
	}
	defer syscall.CloseHandle(h)
	id, err := identifyHandle(h)
	return id, err == nil
}

func identifyOpen(f *os.File, _ fs.FileInfo) (identity, error) {
	id, err := identifyHandle(syscall.Handle(f.Fd()))
	if err != nil {
		return id, fmt.Errorf("identify file: %w", err)
	}
	return id, nil
}

func identifyHandle(h syscall.Handle) (identity, error) {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(h, &info); err != nil {
		return identity{}, err
	}
	return identity{uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, nil
}

// HasOneName reports whether a file has no other hard link, as far as the system
// tells at no cost: here it does not.
func HasOneName(fs.FileInfo) bool { return false }

// OpenRegular opens a file for reading, and lets its writers rename and remove
// it meanwhile.
func OpenRegular(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
