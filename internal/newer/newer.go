// Package newer rejects files written by a later version of the program.
package newer

import (
	"errors"
	"fmt"
)

// Err is the error of what a later version of the program has written.
var Err = errors.New("written by a newer version of Memscribe")

// Check refuses a schema that is later than the newest one known, and says what to do.
func Check(schema, newest int) error {
	if schema <= newest {
		return nil
	}
	return fmt.Errorf("%w: its schema is %d, the newest known here %d; install that version again, or put back a copy from before it", Err, schema, newest)
}
