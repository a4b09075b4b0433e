// Package place finds free numbers for rows whose numbers sort by time.
//
// A place is the first number that a row of some moment may have. Rows of one moment take the
// numbers after each other; if there are many, they take those of the moments that follow:
//
//	moment    17:00:00.000          17:00:00.001
//	numbers   6400 6401 … 6463      6464 6465 …
//	third row of 17:00:00.000       6402
//	65th row of it                  6464, if that is free
//
// So ORDER BY n is nearly the order of time, without an index of its own.
package place

// capacity is how many places a Finder remembers before it forgets them all.
const capacity = 4096

// Finder finds free numbers in one table. It remembers where it found the last one for a place,
// so that the next row of the same place needs no search. The zero Finder is ready to use.
type Finder struct {
	next map[int64]int64 // by place
}

// Put puts a row at a free number: first, or else one soon after it. take tries to put the row
// at a number, and reports false if the number is taken; isTaken reports whether it is.
func (f *Finder) Put(first int64, take, isTaken func(n int64) (bool, error)) error {
	n, ok := f.next[first]
	if !ok {
		n = first
	}
	for {
		if taken, err := take(n); err != nil || taken {
			if f.next == nil || len(f.next) >= capacity {
				f.next = map[int64]int64{}
			}
			f.next[first] = n + 1
			return err
		}
		var err error
		if n, err = free(n, isTaken); err != nil {
			return err
		}
	}
}

// free returns a number after n, which is taken, that is free while the one before it is taken.
// It doubles its steps until it meets a free number, and halves the rest: where n is the first
// of 10,000 rows that share a millisecond, it looks at some thirty numbers and returns the one
// after them.
func free(n int64, isTaken func(n int64) (bool, error)) (int64, error) {
	last, step := n, int64(1) // last is taken
	for {
		taken, err := isTaken(last + step)
		if err != nil {
			return 0, err
		}
		if !taken {
			break
		}
		last += step
		step *= 2
	}
	next := last + step // next is free
	for last+1 < next {
		middle := last + (next-last)/2
		taken, err := isTaken(middle)
		if err != nil {
			return 0, err
		}
		if taken {
			last = middle
		} else {
			next = middle
		}
	}
	return next, nil
}
