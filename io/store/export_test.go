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
		before := d.view.Readings()
		for _, e := range d.Changes(context.Background()) {
			if e != nil {
				err = e
			}
		}
		*n = int(d.view.Readings()-before) - 2 // taking the view, and the list
	})
	return err
}
