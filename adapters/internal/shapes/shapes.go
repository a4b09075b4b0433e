// Package shapes holds what is known of the records of each tool: a table for each, in
// the format of package core/shape, named after the tool.
package shapes

import (
	"embed"

	"github.com/memscribe/memscribe/core"
)

//go:embed *.txt
var tables embed.FS

// Of returns the table of a tool; nil if there is none.
func Of(tool core.Tool) []byte {
	table, err := tables.ReadFile(string(tool) + ".txt")
	if err != nil {
		return nil
	}
	return table
}
