package cli

import (
	"strings"

	"github.com/memscribe/memscribe/internal/app/report"
)

// Condition is a part of a question that could be left out, to find more.
type Condition struct {
	Flag  string               // that sets it
	Finds func() (bool, error) // whether the question without it finds something
}

// Nothing prints that nothing was found, and which conditions prevent it. Each condition is
// tried on its own:
//
//	nothing found; there is something without --since, or without --tool
//
// It always returns an error: [report.ErrIncomplete], or the error of trying a condition.
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
