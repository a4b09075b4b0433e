package check_test

import (
	"fmt"

	"github.com/memscribe/memscribe/internal/check"
)

// A finding names the place that breaks a rule; what a change does not show is not reported.
func ExampleFind() {
	rules := []check.Rule{
		{ID: "d1", Text: "Never use lodash, and don't touch anything under vendor/."},
		{ID: "d2", Text: "Keep it simple."},
	}
	changes := []check.Change{
		{Path: "src/orders.js", Status: check.Modified, Added: []check.Line{
			{Number: 1, Text: `import map from "lodash/map"`},
			{Number: 2, Text: `// lodash is slow`},
		}},
		{Path: "vendor/a.go", Status: check.Modified, Added: []check.Line{{Number: 7, Text: "x := 1"}}},
	}
	for _, f := range check.Find(rules, changes) {
		fmt.Println(rules[f.Rule].ID, f.Act, f.Object, f.File, f.Line)
	}
	// Output:
	// d1 use lodash src/orders.js 1
	// d1 touch vendor/ vendor/a.go 0
}
