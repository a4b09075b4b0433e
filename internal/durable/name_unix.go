//go:build !windows

package durable

import (
	"errors"
	"os"
)

// Name gives a temporary file its name, if no file has it yet, and removes the temporary
// name. If one has it, the error is [fs.ErrExist], and that file stays as it is.
func Name(temporary, name string) error {
	return errors.Join(os.Link(temporary, name), os.Remove(temporary))
}
