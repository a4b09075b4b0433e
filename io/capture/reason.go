package capture

import (
	"errors"
	"io/fs"
)

// reason returns the text of an error without the file name.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
