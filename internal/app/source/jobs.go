package source

import (
	"fmt"
	"runtime"
	"strconv"
)

// Jobs is a flag: how many transcripts are read at the same time, 0 where it is not
// set.
type Jobs int

// String implements the Value of flags.
func (j *Jobs) String() string {
	if *j == 0 {
		return "as many as there are cores"
	}
	return strconv.Itoa(int(*j))
}

// Set implements the Value of flags.
func (j *Jobs) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxJobs {
		return fmt.Errorf("%q is no number from 1 to %d", text, maxJobs)
	}
	*j = Jobs(n)
	return nil
}

// Type implements the Value of flags.
func (*Jobs) Type() string { return "number" }

const (
	maxJobs = 256
	// perJob is how much of the budget there is for each of the transcripts that are
	// read at the same time, where the number of them is not set.
	perJob = 64 << 20
)

// Number returns how many transcripts are read at the same time with so much memory.
func (j Jobs) Number(limit int64) int {
	if j > 0 {
		return int(j)
	}
	return int(min(int64(runtime.GOMAXPROCS(0)), max(1, limit/perJob)))
}

const (
	// partsPerJob is how many parts there are for each that is read at the same time:
	// enough for none to wait long for the others in the end.
	partsPerJob = 16
	leastPart   = 256 << 10
	mostPart    = 32 << 20
)

// parts divides what is read, if it is worth it.
func (r *Reading) parts() [][]int {
	if r.Jobs < 2 {
		return nil
	}
	return r.Plan.Divide(min(mostPart, max(leastPart, r.Plan.Size/int64(partsPerJob*r.Jobs))))
}
