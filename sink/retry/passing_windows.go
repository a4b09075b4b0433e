package retry

import "syscall"

// passingHere returns the codes of Windows for a disk that is full or fails, and for a file that
// another process has locked.
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
