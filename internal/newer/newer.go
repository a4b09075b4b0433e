// Package newer rejects files written by a later version of the program.
//
// Every file that the program keeps has a schema number. A file with a greater number than the
// newest known one is left unchanged: reading it could miss something, and writing could
// destroy it.
package newer

import (
	"errors"
	"fmt"
)

// Err is the error of what a later version of the program has written.
var Err = errors.New("written by a newer version of Memscribe")

// Check returns an error that wraps [Err] if schema is later than newest. Its text says what a
// person can do: install the later version again, or restore a copy.
func Check(schema, newest int) error {
	if schema <= newest {
		return nil
	}
	return fmt.Errorf("%w: its schema is %d, the newest known here %d; install that version again, or put back a copy from before it", Err, schema, newest)
}
