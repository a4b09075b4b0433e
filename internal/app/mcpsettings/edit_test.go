package mcpsettings

import (
	"bytes"
	"errors"
	"testing"

	"github.com/memscribe/memscribe/io/hookconfig"
)

// FuzzTable puts the server into any settings of Codex and takes it out again: what is
// read of the rest is the same, and where nothing else was written the bytes are.
func FuzzTable(f *testing.F) {
	for _, s := range []string{
		"", "a = 1", "a = 1\n", "a = 1\r\n[b]\r\nc = 2\r\n", "# only a comment\n\n", "[mcp_servers.other]\ncommand = \"x\"\n", "mcp_servers = {}\n", "[[x]]\ny = [\n  [1],\n]\n",
		"[mcp_servers.memscribe.env]\nA = \"b\"\n", "x = \"\"\"\n[mcp_servers.memscribe]\n\"\"\"\n", "[mcp_servers]\n",
	} {
		f.Add([]byte(s))
	}
	e := table{[]string{`C:\Program Files\memscribe.exe`, "mcp", "--db", `a "b" <c>`}}
	f.Fuzz(func(t *testing.T, text []byte) {
		if some, _, err := e.Has(text); some || err != nil {
			return
		}
		added, err := e.Add(text)
		if errors.Is(err, hookconfig.ErrForm) || err != nil {
			return
		}
		if _, all, err := e.Has(added); !all || err != nil {
			t.Fatalf("%q becomes %q: %v", text, added, err)
		}
		removed, ok, err := e.Remove(added)
		if errors.Is(err, hookconfig.ErrForm) {
			return // a text that looks like our table
		}
		if err != nil || !ok || !bytes.Equal(bytes.TrimRight(removed, "\r\n"), bytes.TrimRight(text, "\r\n")) {
			t.Errorf("%q becomes %q and then %q: %v", text, added, removed, err)
		}
	})
}
