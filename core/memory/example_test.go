package memory_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
)

func ExampleOfCall() {
	project := &core.Project{Cwd: "/w/app"}
	for _, call := range []struct{ name, args string }{
		{"mcp__memory__create_entities", `{"entities":[{"name":"db","entityType":"service"}]}`},
		{"mcp_mem0_search", `{"query":"db"}`},
		{"Read", `{"file_path":"/w/app/CLAUDE.md"}`},
		{"Bash", `{"command":"echo 'Use UTC' >> AGENTS.md"}`},
		{"get_memory_usage", `{}`},
	} {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(call.args)); err != nil {
			fmt.Println(err)
			return
		}
		found := memory.OfCall(&core.ToolCall{Name: call.name, Args: core.RawValue(doc.Root())}, project)
		if len(found) == 0 {
			fmt.Println(call.name, "nothing")
		}
		for _, a := range found {
			fmt.Printf("%s %s %s %q\n", call.name, a.Action, a.Store, a.Key)
		}
	}
	// Output:
	// mcp__memory__create_entities memory_write memory "db"
	// mcp_mem0_search memory_read mem0 ""
	// Read memory_read file "/w/app/CLAUDE.md"
	// Bash memory_write file "/w/app/AGENTS.md"
	// get_memory_usage nothing
}
