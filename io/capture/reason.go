package capture

import (
	"errors"
	"io/fs"
)

// reason is what err says, without the file's name.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
