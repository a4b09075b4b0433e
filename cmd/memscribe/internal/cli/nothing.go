package cli

import (
	"strings"

	"github.com/memscribe/memscribe/internal/app/report"
)

// Condition is a part of a question that can be left out.
type Condition struct {
	Flag  string               // that sets it
	Finds func() (bool, error) // whether the question without it finds something
}

// Nothing says that nothing was found, and which conditions, each on its own, keep
// away what there is:
//
//	nothing found; there is something without --since, or without --tool
//
// Its error is [report.ErrIncomplete], or what went wrong when it looked.
func (a *App) Nothing(conditions ...Condition) error {
	var without []string
	for _, c := range conditions {
		is, err := c.Finds()
		if err != nil {
			return err
		}
		if is {
			without = append(without, "without "+c.Flag)
		}
	}
	if len(without) == 0 {
		a.Stderr.Printf("nothing found\n")
	} else {
		a.Stderr.Printf("nothing found; there is something %s\n", strings.Join(without, ", or "))
	}
	return report.ErrIncomplete
}
