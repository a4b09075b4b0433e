// Package place finds free numbers for rows whose numbers sort by time.
package place

// capacity is how many places are known before they are forgotten.
const capacity = 4096

// Known knows, of some places, where the run of taken numbers after them ended. The zero
// Known knows none.
type Known struct {
	ends map[int64]int64
}

// Put finds a free number for a row, at first or soon after it. take puts the row at a number
// and reports false if that is taken; isTaken reports whether a number is.
func (k *Known) Put(first int64, take, isTaken func(n int64) (bool, error)) error {
	n, ok := k.ends[first]
	if !ok {
		n = first
	}
	for {
		if taken, err := take(n); err != nil || taken {
			if k.ends == nil || len(k.ends) >= capacity {
				k.ends = map[int64]int64{}
			}
			k.ends[first] = n + 1
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
