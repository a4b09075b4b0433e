package shape

import (
	"embed"

	"github.com/memscribe/memscribe/core"
)

//go:embed tables/*.txt
var tables embed.FS

// Table returns what is known of the records of a tool; nil if nothing is.
func Table(tool core.Tool) []byte {
	if tool == core.Kilo {
		tool = core.OpenCode // whose records it writes
	}
	table, err := tables.ReadFile("tables/" + string(tool) + ".txt")
	if err != nil {
		return nil
	}
	return table
}
