// Package claudecode reads the transcripts of Claude Code.
//
// A transcript is a file of JSON lines. Records of the types user, assistant, system, attachment
// and progress have a uuid and a parentUuid and form a tree; all others are bookkeeping beside it.
// File order is the order in which things happened; the tree serves to see where a person took the
// conversation back, and which sidechain a record belongs to.
//
// What the versions from 1.0.0 to 2.1.329 write, and on what evidence that is
// known, is in docs/adapters/claude_code.md.
package claudecode

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Claude Code.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.ClaudeCode }

// Places are the folders of the command line tool and of the desktop
// application, which runs the same client in a home folder of its own.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			Roots:    []core.Root{{Env: "CLAUDE_CONFIG_DIR"}, {Path: ".claude"}},
			Patterns: transcripts(""),
		},
		// Older clients followed the XDG rules; known from other readers only.
		{
			Roots:    []core.Root{{Env: "XDG_CONFIG_HOME", Path: "claude"}, {Path: ".config/claude"}},
			Patterns: transcripts(""),
		},
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Claude/" + desktop},
				{OS: "windows", Env: "APPDATA", Path: "Claude/" + desktop},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: "Claude/" + desktop},
				{OS: "linux", Path: ".config/Claude/" + desktop},
			},
			Patterns: transcripts("**/"),
		},
		// The desktop application out of the Microsoft store.
		{
			Roots:    []core.Root{{OS: "windows", Env: "LOCALAPPDATA", Path: "Packages"}},
			Patterns: transcripts("Claude_*/LocalCache/Roaming/Claude/" + desktop + "/**/"),
		},
	}
}

const desktop = "local-agent-mode-sessions"

// transcripts are the patterns below a folder that holds "projects". The first
// takes in the subagents of 2.0.x too, whose files lie beside their session's.
func transcripts(folder string) []string {
	return []string{
		folder + "projects/*/*.jsonl",
		folder + "projects/**/subagents/**/agent-*.jsonl",
	}
}

// Detect judges by the records: a conversation in this client's form is this
// client's. Other tools copy the form but not all of it: Qwen Code has "parts"
// for content, Cursor has neither types nor ids.
func (Adapter) Detect(s core.Sample) core.Fit {
	best := pathFit(s.Path)
	var r record
	for line, v := range s.Records() {
		var fit core.Fit
		if v.Exists() {
			fit = r.fit(v)
		} else {
			fit = cutFit(line)
		}
		if fit == core.NativeFit {
			return fit
		}
		best = max(best, fit)
	}
	return best
}

// fit judges one record.
func (r *record) fit(v jsondoc.Value) core.Fit {
	r.read(v)
	switch string(r.kind.Body()) {
	case "user", "assistant":
		return messageFit(r, v)
	case "system", "attachment", "progress":
		// Qwen Code chains its records likewise, and keeps what a system record says in a payload.
		chained := r.uuid.Exists() && r.session.Exists() && v.Get("isSidechain").Exists() && !v.Get("systemPayload").Exists()
		if chained && (r.subtype.Exists() || r.attachment.Exists() || r.data.Exists()) {
			return core.NativeFit
		}
	case "summary":
		if v.Get("leafUuid").Exists() && v.Get("summary").Exists() {
			return core.NativeFit
		}
	case "file-history-snapshot":
		if v.Path("snapshot", "trackedFileBackups").Exists() {
			return core.NativeFit
		}
	case "queue-operation":
		if r.operation.Exists() && r.session.Exists() {
			return core.NativeFit
		}
	case "mode", "permission-mode", "last-prompt", "custom-title", "ai-title", "agent-name", "atis-latch", "tools-used":
		if r.session.Exists() {
			return core.ShapeFit
		}
	}
	return core.NoFit
}

// messageFit judges a message by its envelope.
func messageFit(r *record, v jsondoc.Value) core.Fit {
	role := r.message.Get("role")
	foreign := role.Exists() && !role.Is("user") && !role.Is("assistant")
	if foreign || !r.message.Get("content").Exists() || r.message.Get("parts").Exists() {
		return core.NoFit
	}
	marks := 0
	for _, has := range []bool{
		r.uuid.Exists(), r.parent.Exists(), v.Get("isSidechain").Exists(), v.Get("userType").Exists(), r.version.Exists(),
	} {
		if has {
			marks++
		}
	}
	switch {
	case v.Get("sessionId").Exists() && marks >= 2:
		return core.NativeFit
	case v.Get("sessionId").Exists() || r.time.Exists() || marks >= 2:
		return core.ShapeFit
	}
	return core.NoFit
}

// pathFit judges by where a file lies.
func pathFit(file string) core.Fit {
	stem, isTranscript := strings.CutSuffix(path.Base(file), ".jsonl")
	folder := path.Dir(file)
	switch {
	case !isTranscript:
		return core.NoFit
	case strings.HasPrefix(stem, "agent-") && strings.Contains(folder, "/subagents") && !strings.Contains(folder, "/.qwen/"):
		return core.PathFit
	case (stream.IsUUID(stem) || strings.HasPrefix(stem, "agent-")) && path.Base(path.Dir(folder)) == "projects":
		return core.PathFit
	}
	return core.NoFit
}

// cutFit judges a line that was cut off, or torn, by what of it is there: a first
// record may be longer than any sample.
func cutFit(line []byte) core.Fit {
	var doc jsondoc.Doc
	if closed := jsondoc.Close(line); closed != nil {
		if _, err := doc.Parse(closed); err == nil {
			if fit := new(record).fit(doc.Root()); fit != core.NoFit {
				return core.ShapeFit
			}
		}
	}
	for _, mark := range []string{`"isSidechain":`, `"sessionId":`, `"type":"`} {
		if !bytes.Contains(line, []byte(mark)) {
			return core.NoFit
		}
	}
	if bytes.Contains(line, []byte(`"systemPayload":`)) || bytes.Contains(line, []byte(`"parts":[`)) {
		return core.NoFit // Qwen Code's
	}
	return core.ShapeFit
}

// version is the client's version that the last record named.
type version struct {
	text  string
	parts [3]int
}

func (v *version) see(named jsondoc.Value) {
	if named.Kind() != jsondoc.String || named.Is(v.text) {
		return
	}
	*v = version{text: named.Str()}
	i := 0
	for _, c := range []byte(v.text) {
		switch {
		case c == '.' && i < len(v.parts)-1:
			i++
		case c < '0' || c > '9':
			return
		default:
			v.parts[i] = min(v.parts[i]*10+int(c-'0'), 1<<20)
		}
	}
}

// atLeast reports whether the version is known and not before the given one.
func (v *version) atLeast(major, minor, patch int) bool {
	want := [3]int{major, minor, patch}
	for i, n := range v.parts {
		if n != want[i] {
			return n > want[i]
		}
	}
	return true
}
