package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/budget"
)

// Memory is the flag --memory: the memory budget in bytes; 0 if it is not set.
type Memory int64

// memoryUnits returns the units of sizes, the largest first.
func memoryUnits() []struct {
	name string
	size int64
} {
	return []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}
}

// String implements the Value of flags.
func (m *Memory) String() string {
	size := int64(*m)
	if size == 0 {
		size = budget.Standard
	}
	for _, u := range memoryUnits() {
		if size%u.size == 0 {
			return strconv.FormatInt(size/u.size, 10) + u.name
		}
	}
	return ""
}

// Set implements the Value of flags.
func (m *Memory) Set(text string) error {
	size, err := bytesOf(text)
	switch {
	case err != nil:
		return err
	case size < budget.Least:
		least := Memory(budget.Least)
		return fmt.Errorf("%s is less than %s", text, least.String())
	}
	*m = Memory(size)
	return nil
}

// Type implements the Value of flags.
func (*Memory) Type() string { return "size" }

// bytesOf parses a size in the form of GOMEMLIMIT, such as 512MiB.
func bytesOf(text string) (int64, error) {
	const most = 1 << 50
	for _, u := range append(memoryUnits(), struct {
		name string
		size int64
	}{"", 1}) {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n <= 0 || n > most/u.size {
			break
		}
		return n * u.size, nil
	}
	return 0, fmt.Errorf("%q is no size such as 512MiB or 2GiB", text)
}

// Budget returns the memory budget: from the flag, else from GOMEMLIMIT, else the default. A
// GOMEMLIMIT below the minimum counts as the minimum.
func Budget(e host.Machine, set Memory) *budget.Budget {
	if set > 0 {
		return budget.New(int64(set))
	}
	if limit, err := bytesOf(e.Variable("GOMEMLIMIT")); err == nil {
		return budget.New(max(limit, budget.Least))
	}
	return budget.New(budget.Standard)
}

// KeepTo sets the garbage collector so that the program stays within its budget. With reads the
// program reads everything once and ends; then it may have more garbage, and [pacer] lowers that
// as its live memory grows. GOGC and GOMEMLIMIT of the user take precedence.
func KeepTo(e host.Machine, b *budget.Budget, reads bool) {
	if e.SetMemoryLimit != nil && e.Variable("GOMEMLIMIT") == "" {
		e.SetMemoryLimit(b.Heap())
	}
	if e.SetGCPercent != nil && reads && e.Variable("GOGC") == "" {
		e.SetGCPercent(lazy)
	}
}
