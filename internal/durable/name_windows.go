package durable

import (
	"errors"
	"os"
	"syscall"
)

// Name gives a temporary file its name, if no file has it yet, and removes the temporary
// name. If one has it, the error is [fs.ErrExist], and that file stays as it is.
//
// The file is moved. With a second name, the first could not be removed while another
// process reads the file.
func Name(temporary, name string) error {
	from, err := syscall.UTF16PtrFromString(temporary)
	if err != nil {
		return &os.PathError{Op: "name", Path: temporary, Err: err}
	}
	to, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return errors.Join(&os.PathError{Op: "name", Path: name, Err: err}, os.Remove(temporary))
	}
	if err := syscall.MoveFile(from, to); err != nil {
		return errors.Join(&os.LinkError{Op: "name", Old: temporary, New: name, Err: err}, os.Remove(temporary))
	}
	return nil
}
