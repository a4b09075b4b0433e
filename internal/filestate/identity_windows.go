package filestate

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Identify says which file it is that stands at path.
func Identify(path string, _ fs.FileInfo) (Identity, bool) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return Identity{}, false
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	h, err := syscall.CreateFile(name, 0, share, nil, syscall.OPEN_EXISTING, syscall.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return Identity{}, false
	}
	defer syscall.CloseHandle(h)
	id, err := identifyHandle(h)
	return id, err == nil
}

// identifyOpen returns the identity of an open file.
func identifyOpen(f *os.File, _ fs.FileInfo) (Identity, error) {
	id, err := identifyHandle(syscall.Handle(f.Fd()))
	if err != nil {
		return id, fmt.Errorf("identify file: %w", err)
	}
	return id, nil
}

// identifyHandle returns volume and file index of a handle.
func identifyHandle(h syscall.Handle) (Identity, error) {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(h, &info); err != nil {
		return Identity{}, err
	}
	return Identity{uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, nil
}
