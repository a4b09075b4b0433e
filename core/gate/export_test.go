package gate

import "fmt"

// FindsShort looks every short word of the rules up both ways.
func (r *Rules) FindsShort() error {
	for id, name := range r.words.names {
		if id == 0 || len(name) > headSize {
			continue
		}
		if got := r.words.findShort(headOf([]byte(name)), len(name)); got != int32(id) || got != r.words.find([]byte(name)) {
			return fmt.Errorf("%q is number %d, want %d", name, got, id)
		}
	}
	return nil
}
