package mcpsettings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/memscribe/memscribe/internal/app/toolsettings"
	"github.com/memscribe/memscribe/io/hookconfig"
)

// editor returns what puts a command into the tool's settings.
func (t *tool) editor(run []string) (toolsettings.Editor, error) {
	if len(t.names) == 0 {
		return table{run}, nil
	}
	value, err := json.Marshal(t.value(run))
	if err != nil {
		return nil, fmt.Errorf("write entry: %w", err)
	}
	return member{t.names, string(value)}, nil
}

// member edits a member of a JSON object. names lead to it from the top: {"mcpServers",
// "memscribe"}. Comments and trailing commas are allowed, as tools allow them.
type member struct {
	names []string
	value string
}

// Add implements the edit of a JSON settings file: it adds the member of the server.
func (m member) Add(text []byte) ([]byte, error) { return hookconfig.AddMember(text, m.names, m.value) }

// Remove removes the member of the server.
func (m member) Remove(text []byte) ([]byte, bool, error) {
	return hookconfig.RemoveMember(text, m.names)
}

// Has reports whether there is such a member, and whether it is just what Add would
// write.
func (m member) Has(text []byte) (some, all bool, err error) {
	return hookconfig.HasMember(text, m.names, m.value)
}

// table edits a table of TOML, which it puts at the end:
//
//	[mcp_servers.memscribe]
//	command = "/usr/bin/memscribe"
//	args = ["mcp"]
type table struct{ run []string }

const header = "mcp_servers." + Name

// Add puts the table behind the last line. A file that names servers in another form,
// into which no table can be put, is refused.
func (t table) Add(text []byte) ([]byte, error) {
	if some, _, err := t.Has(text); err != nil || some {
		return text, err
	}
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	before := ""
	switch {
	case len(text) == 0:
	case !bytes.HasSuffix(text, []byte("\n")):
		before = eol + eol
	default:
		before = eol
	}
	added := strings.ReplaceAll(fmt.Sprintf("[%s]\ncommand = %s\nargs = %s\n", header, quoted(t.run[0]), list(t.run[1:])), "\n", eol)
	out := append(bytes.Clone(text), before+added...)
	if _, all, err := t.Has(out); err != nil || !all {
		return nil, fmt.Errorf("%s: %w", header, hookconfig.ErrForm)
	}
	return out, nil
}

// quoted returns a string of TOML. Its escapes are among those of JSON.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string can always be written
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", "\x7f", `\u007f`).Replace(string(b))
}

// list returns strings as a TOML array.
func list(all []string) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = quoted(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Remove takes out the table, with those below it and the blank line before it. The result is
// parsed again: if an entry is left, the file has a form that is not understood, and the error
// says so.
func (t table) Remove(text []byte) ([]byte, bool, error) {
	some, _, err := t.Has(text)
	if err != nil || !some {
		return text, false, err
	}
	var out []byte
	inside := false
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); bytes.HasPrefix(trimmed, []byte("[")) {
			was := inside
			if inside = isOurs(trimmed); inside && !was {
				out = withoutBlank(out)
			}
		}
		if !inside {
			out = append(out, line...)
		}
	}
	if some, _, err = t.Has(out); err != nil || some {
		return nil, false, fmt.Errorf("%s: %w", header, hookconfig.ErrForm)
	}
	return out, true, nil
}

// isOurs reports whether a line begins our table, or one below it.
func isOurs(line []byte) bool {
	name, _, _ := strings.Cut(strings.Trim(string(line), "["), "]")
	name = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(name)
	return name == header || strings.HasPrefix(name, header+".")
}

// withoutBlank returns a text without the blank line that it ends with.
func withoutBlank(text []byte) []byte {
	for _, eol := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(text, []byte("\n"+eol)) {
			return text[:len(text)-len(eol)]
		}
	}
	return text
}

// Has reads the settings as the tool does.
func (t table) Has(text []byte) (some, all bool, err error) {
	var file struct {
		Servers map[string]map[string]any `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(text, &file); err != nil {
		return false, false, fmt.Errorf("read settings: %w", err)
	}
	is, some := file.Servers[Name]
	args := make([]any, 0, len(t.run))
	for _, a := range t.run[1:] {
		args = append(args, a)
	}
	return some, some && is["command"] == t.run[0] && reflect.DeepEqual(is["args"], args), nil
}
