package hookconfig_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/hookconfig"
)

const server = `{"command":"/bin/memscribe","args":["mcp"]}`

func ours() []string { return []string{"mcpServers", "memscribe"} }

func TestAddMember(t *testing.T) {
	const value = `{
      "command": "/bin/memscribe",
      "args": [
        "mcp"
      ]
    }`
	for _, tt := range []struct{ name, before, after string }{
		{"no file", "", "{\n  \"mcpServers\": {\n    \"memscribe\": " + value + "\n  }\n}\n"},
		{
			"others and comments stay", "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"} // best\n  },\n  \"z\": 1\n}\n",
			"{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // best\n    \"memscribe\": " + value + "\n  },\n  \"z\": 1\n}\n",
		},
		{"on one line", `{"a":1}`, `{"a":1,"mcpServers": {"memscribe": {"command": "/bin/memscribe","args": ["mcp"]}}}`},
		{"one that is there", `{"mcpServers":{"memscribe":7}}`, `{"mcpServers":{"memscribe":7}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := hookconfig.AddMember([]byte(tt.before), ours(), server)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{`[]`, `{"mcpServers":[]}`} {
		if _, err := hookconfig.AddMember([]byte(text), ours(), server); !errors.Is(err, hookconfig.ErrForm) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// FuzzMember takes out of any settings what it put in, to the byte, where nothing of it
// was there; only an object that was there and empty goes with it.
func FuzzMember(f *testing.F) {
	for _, text := range []string{
		"{\n  \"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"b\": [1, 2]\n}", "{\"a\":1}", "{\r\n    \"a\": 1\r\n}\r\n", "{\n  \"a\": 1, // one\n  // the end\n}\n",
		"// head\n{\n  \"a\": 1\n  // tail\n}\n// foot\n", "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n", "{\n  \"mcpServers\": {\"x\": {}}\n}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if there, _, err := hookconfig.HasMember(text, ours(), server); err != nil || there {
			return
		}
		added, err := hookconfig.AddMember(text, ours(), server)
		if err != nil {
			return
		}
		if there, same, err := hookconfig.HasMember(added, ours(), server); !there || !same || err != nil {
			t.Fatalf("%q: there %t, as it is to be %t, %v", added, there, same, err)
		}
		removed, ok, err := hookconfig.RemoveMember(added, ours())
		if err != nil || !ok {
			t.Fatalf("%q: removed %t, %v", added, ok, err)
		}
		if there, _, err := hookconfig.HasMember(removed, ours(), server); there || err != nil {
			t.Errorf("%q: still there, %v", removed, err)
		}
	})
}

// TestMemberRoundTrip: the seeds of the fuzz test come back to the byte.
func TestMemberRoundTrip(t *testing.T) {
	for _, text := range []string{
		"{\n  \"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"b\": [1, 2]\n}", "{\"a\":1}", "{\r\n    \"a\": 1\r\n}\r\n", "{\n  \"a\": 1, // one\n  // the end\n}\n",
		"// head\n{\n  \"a\": 1\n  // tail\n}\n// foot\n", "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n", "{\n  \"mcpServers\": {\"x\": {}}\n}\n",
	} {
		added, err := hookconfig.AddMember([]byte(text), ours(), server)
		if err != nil {
			t.Fatal(err)
		}
		removed, _, err := hookconfig.RemoveMember(added, ours())
		if diff := cmp.Diff(text, string(removed)); diff != "" || err != nil {
			t.Errorf("%q, in between\n%s\n(-want +got): %v\n%s", text, added, err, diff)
		}
	}
}
