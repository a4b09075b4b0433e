package source

import (
	"fmt"
	"runtime"
	"strconv"
)

// Jobs is the flag --jobs: how many transcripts are read at the same time; 0 if it is not set.
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
	// perJob is the part of the memory budget for each lane, if the number of lanes is not
	// set.
	perJob = 64 << 20
)

// Number returns how many transcripts are read at the same time with a memory budget of limit
// bytes: the number of cores, but no more than one for each 64 MB of the budget; or what the
// flag says.
func (j Jobs) Number(limit int64) int {
	if j > 0 {
		return int(j)
	}
	return int(min(int64(runtime.GOMAXPROCS(0)), max(1, limit/perJob)))
}

const (
	// partsPerJob is the number of parts for each lane. With many parts the lanes end at
	// about the same time.
	partsPerJob = 16
	leastPart   = 256 << 10
	mostPart    = 32 << 20
)

// parts divides the sources into parts of 256 kB to 32 MB for the lanes; nil if one lane reads
// all.
func (r *Reading) parts() [][]int {
	if r.Jobs < 2 {
		return nil
	}
	return r.Plan.Divide(min(mostPart, max(leastPart, r.Plan.Size/int64(partsPerJob*r.Jobs))))
}
