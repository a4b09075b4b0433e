package store

import (
	"context"

	"github.com/memscribe/memscribe/core"
)

// CountReadings has use look for changes, and counts the readings that takes.
func CountReadings(path string, choose func(string, core.Schema) (core.Adapter, core.Layout), n *int, use func(look func())) error {
	d, err := Open(path, choose)
	if err != nil {
		return err
	}
	defer d.Close()
	use(func() {
		before := d.view.epoch
		for _, e := range d.Changes(context.Background()) {
			if e != nil {
				err = e
			}
		}
		*n = int(d.view.epoch-before) - 2 // taking the view, and the list
	})
	return err
}

// ScanAfter reads the records of the journal at a path, and has meanwhile happen between
// the header and them.
func ScanAfter(path string, meanwhile func()) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	j := &journal{file: f}
	if j.info, err = f.Stat(); err != nil {
		return err
	}
	if err := j.begin(); err != nil {
		return err
	}
	meanwhile()
	return j.scan()
}

// ErrNoJournal says that no transaction is on its way.
var ErrNoJournal = errNoJournal
