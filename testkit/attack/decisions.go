package attack

import (
	"bufio"
	"fmt"
	"io"
)

// Decisions makes a transcript in which a person decides something in every turn, and
// the agent agrees. If it is rewound, every turn takes back the ones before it.
func Decisions(path string, n int, rewound bool) error {
	return conversation(path, rewound, func(c *talk) {
		for i := range n {
			c.says("user", quoted(fmt.Sprintf("Use store number %d instead of the old one.", i)))
			c.says("assistant", `[{"type":"text","text":"I'll do that."}]`)
		}
	})
}

// Carried makes a transcript in which every turn decides something, and an edit
// carries it out.
func Carried(path string, n int) error {
	return conversation(path, false, func(c *talk) {
		for i := range n {
			c.says("user", quoted(fmt.Sprintf("Use store_%d instead of store_old.", i)))
			c.edits(fmt.Sprintf("/w/f%d.go", i%1000), fmt.Sprintf("store_%d", i))
		}
	})
}

// Ruled makes a transcript with many rules that each name something, and then
// edits which name everything that was ruled.
func Ruled(path string, rules, edits int) error {
	return conversation(path, false, func(c *talk) {
		names := ""
		for i := range rules {
			c.says("user", quoted(fmt.Sprintf("From now on never use store_%d, always use bank_%d instead.", i, i)))
			c.says("assistant", `[{"type":"text","text":"Understood. From now on I will never use it."}]`)
			if len(names) < 32<<10 {
				names += fmt.Sprintf("store_%d ", i)
			}
		}
		for i := range edits {
			c.edits(fmt.Sprintf("/w/f%d.go", i%1000), names)
		}
	})
}

func quoted(words string) string { return `"` + words + `"` }

// talk writes a session in which every record follows the one before it.
type talk struct {
	w       *bufio.Writer
	n       int
	rewound bool // a person's turns have no parent
}

func conversation(path string, rewound bool, fill func(*talk)) error {
	return create(path, func(w io.Writer) error {
		c := &talk{w: bufio.NewWriterSize(w, 1<<20), rewound: rewound}
		fill(c)
		return c.w.Flush()
	})
}

// says writes a record with the content of a message, and what else is in it.
func (c *talk) says(who, content string, more ...string) {
	parent := fmt.Sprintf(`"%08x-0000-4000-8000-000000000000"`, c.n-1)
	if c.n == 0 || c.rewound && who == "user" {
		parent = "null"
	}
	fmt.Fprintf(c.w, `{"type":%q,"uuid":"%08x-0000-4000-8000-000000000000","parentUuid":%s,"sessionId":"5e550001-0000-4000-8000-000000000001",`+
		`"cwd":"/w","version":"2.1.240","isSidechain":false,"timestamp":"2026-08-01T00:00:00.000Z","message":{"role":%q,"content":%s}`,
		who, c.n, parent, who, content)
	for _, m := range more {
		fmt.Fprint(c.w, ",", m)
	}
	fmt.Fprintln(c.w, "}")
	c.n++
}

// edits writes the call of an edit, and its result.
func (c *talk) edits(path, text string) {
	call := fmt.Sprintf("toolu_%08x", c.n)
	c.says("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Edit","input":{"file_path":%q,"old_string":"old","new_string":%q}}]`, call, path, text))
	c.says("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]`, call), fmt.Sprintf(
		`"toolUseResult":{"filePath":%q,"oldString":"old","newString":%q,"originalFile":"old",`+
			`"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-old",%q]}]}`, path, text, "+"+text))
}
