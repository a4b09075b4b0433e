package retry

import "syscall"

// passingHere returns the codes of Windows of a disk that is full or fails, and of a
// file that another process holds.
func passingHere() []error {
	const (
		tooManyOpenFiles = syscall.Errno(4)
		crc              = syscall.Errno(23)
		sharingViolation = syscall.Errno(32)
		lockViolation    = syscall.Errno(33)
		handleDiskFull   = syscall.Errno(39)
		diskFull         = syscall.Errno(112)
		ioDevice         = syscall.Errno(1117)
	)
	return []error{tooManyOpenFiles, crc, sharingViolation, lockViolation, handleDiskFull, diskFull, ioDevice}
}
