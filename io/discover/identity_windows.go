package discover

import (
	"io/fs"
	"syscall"
)

// identity tells files apart whatever their names.
type identity struct {
	volume uint32
	index  uint64
}

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
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(h, &info); err != nil {
		return identity{}, false
	}
	return identity{info.VolumeSerialNumber, uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, true
}
