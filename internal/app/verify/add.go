package verify

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/scrub"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// AddOptions say which session is added to a corpus, and as what.
type AddOptions struct {
	File   string
	As     string // the tool that wrote it
	Name   string // of its scenario, such as happy_path or happy_path+variant
	Corpus string // the folder
}

// RefusedError says that a scrubbed session was not added because it does not keep every
// promise.
type RefusedError struct{ Verdict *Verdict }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("add session: %d promises are not kept", len(e.Verdict.Broken))
}

// Add scrubs a session, writes it into a corpus and returns the name of the file:
// corpus/<tool>/<version>/<name>/home/…, below which it lies as in the home folder of the
// tool. It writes all of it or nothing: the scrubbed session must keep every promise, and
// nothing that is to be removed may be left in it, else the error is a [*RefusedError]. A
// person has to read the result before it is published.
func Add(s *setup.Setup, o AddOptions) (name string, err error) {
	if o.As == "" || o.Name == "" {
		return "", usage.Errorf("--capture needs --as and --name")
	}
	if !regexp.MustCompile(`^[a-z0-9_]+(\+[a-z0-9_-]+)?$`).MatchString(o.Name) {
		return "", usage.Errorf("--name %q: want a scenario such as happy_path, or happy_path+variant", o.Name)
	}
	adapter, err := source.AdapterOf(s.Machine, o.As)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(o.File)
	if err != nil {
		return "", fmt.Errorf("read session: %w", err)
	}
	scrubs, err := newScrubbing(s, adapter.Tool())
	if err != nil {
		return "", err
	}
	clean, err := scrubs.transcript(data)
	if err != nil {
		return "", err
	}
	at := scrubs.fileName(o.File)
	if at == "" {
		return "", usage.Errorf("%s lies in no folder of %s: put it where the tool would", o.File, o.As)
	}
	in := trial.Input{Adapter: adapter, Path: at, Name: at, Data: clean}
	v := newVerdict()
	r, err := v.transcripts(o.File, []trial.Input{in})
	if err != nil {
		return "", err
	}
	v.add(o.File, scrubs.remains(clean))
	if len(v.Broken) > 0 {
		if err = v.redact(s); err != nil {
			return "", err
		}
		return "", &RefusedError{v}
	}
	target := filepath.Join(o.Corpus, o.As, versionOf(r), o.Name, filepath.FromSlash(at))
	if _, err = os.Lstat(target); err == nil {
		return "", usage.Errorf("%s is there already", target)
	}
	if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = os.WriteFile(target, clean, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("add session: %w", err)
	}
	return target, nil
}

// versionOf returns the version of the tool that wrote a session.
func versionOf(r *trial.Result) string {
	version := regexp.MustCompile(`"tool_version":"([0-9][0-9A-Za-z.-]*)"`)
	for _, e := range r.Events() {
		if m := version.FindSubmatch(e.JSON); m != nil {
			return string(m[1])
		}
	}
	return "unknown"
}

// scrubbing removes from a session what belongs to a person or a vendor.
type scrubbing struct {
	tool    core.Tool
	engine  *redact.Engine
	replace []replacement
}

// replacement is a pattern and what takes the place of its matches, as in
// [regexp.Regexp.ReplaceAll].
type replacement struct {
	what *regexp.Regexp
	with string
}

// The name and address that take the place of a user's.
const (
	anyone      = "dev"
	anyonesMail = "dev@example.com"
)

// newScrubbing returns what scrubs the sessions of a tool. Secrets are redacted; mail
// addresses, home folders and the names of this machine's user are replaced:
//
//	ann@corp.example          dev@example.com
//	/Users/ann/src/app        /Users/dev/src/app
//	C:\Users\ann              C:\Users\dev
//	-home-ann-app             -home-dev-app      Claude Code's names of project folders
func newScrubbing(u *setup.Setup, tool core.Tool) (*scrubbing, error) {
	engine, err := redact.New(u.Rules.Redaction)
	if err != nil {
		return nil, err
	}
	s := &scrubbing{tool: tool, engine: engine, replace: []replacement{
		{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`), anyonesMail},
		{regexp.MustCompile(`(/home/|/Users/|[A-Za-z]:\\Users\\|-home-|-Users-)[A-Za-z0-9._]+`), "${1}" + anyone},
		{regexp.MustCompile(`/root\b`), "/home/" + anyone},
	}}
	if home, err := u.Home(); err == nil {
		s.replace = append(s.replace, replacement{regexp.MustCompile(regexp.QuoteMeta(home) + `\b`), "/home/" + anyone})
		s.addName(filepath.Base(home))
	}
	for _, variable := range []string{"USER", "USERNAME", "LOGNAME"} {
		s.addName(u.Getenv(variable))
	}
	return s, nil
}

// addName replaces a user's name. A name of fewer than three letters, or a common word, is
// left: replacing it would change text that means something else.
func (s *scrubbing) addName(name string) {
	const short = 3
	if len(name) < short || slices.Contains([]string{anyone, "root", "home", "user", "users", "runner", "work"}, strings.ToLower(name)) {
		return
	}
	s.replace = append(s.replace, replacement{regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`), anyone})
}

// text scrubs one string.
func (s *scrubbing) text(text []byte) ([]byte, error) {
	clean, _, err := s.engine.Scrub(core.TextField, text)
	if err != nil {
		return nil, err
	}
	for _, r := range s.replace {
		clean = r.what.ReplaceAll(clean, []byte(r.with))
	}
	return bytes.Clone(clean), nil
}

// transcript scrubs a session: first the texts of its vendor, then every JSON string.
//
// It goes from quote to quote without parsing, so that numbers, spaces and the order of
// members stay as the tool wrote them; parsers depend on them.
func (s *scrubbing) transcript(data []byte) ([]byte, error) {
	data, err := scrub.Transcript(s.tool, data)
	if err != nil {
		return nil, err
	}
	var out []byte
	for len(data) > 0 {
		start := bytes.IndexByte(data, '"')
		if start < 0 {
			break
		}
		end := stringEnd(data, start+1)
		clean, err := s.text(jsondoc.Unquote(nil, data[start+1:end]))
		if err != nil {
			return nil, fmt.Errorf("scrub session: %w", err)
		}
		out = append(out, data[:start]...)
		if bytes.Equal(clean, jsondoc.Unquote(nil, data[start+1:end])) {
			out = append(out, data[start:min(end+1, len(data))]...)
		} else {
			out = jsondoc.AppendQuote(out, clean)
		}
		data = data[min(end+1, len(data)):]
	}
	return append(out, data...), nil
}

// stringEnd returns where a JSON string ends: at its quote, or with the data.
func stringEnd(data []byte, at int) int {
	for at < len(data) && data[at] != '"' {
		if data[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(data))
}

// remains lists what a scrubbed session still holds that should have been removed.
func (s *scrubbing) remains(data []byte) []string {
	var left []string
	line := 0
	for text := range bytes.Lines(data) {
		line++
		found, err := s.engine.Find(core.TextField, text)
		if err != nil {
			left = append(left, fmt.Sprintf("line %d cannot be searched: %v", line, err))
		}
		for _, f := range found {
			left = append(left, fmt.Sprintf("line %d has what looks like a secret: %s", line, f.Type))
		}
		for _, r := range s.replace {
			if clean := r.what.ReplaceAll(text, []byte(r.with)); !bytes.Equal(clean, text) {
				left = append(left, fmt.Sprintf("line %d has what belongs to somebody: %s", line, r.what.Find(text)))
			}
		}
	}
	return left
}

// fileName returns the path of a transcript below its case, as in the tool's home; "" if
// the tool would keep no transcript there. It begins with the first hidden folder below
// which the tool keeps such files: /home/ann/.claude/projects/p/s.jsonl becomes
// home/.claude/projects/p/s.jsonl.
func (s *scrubbing) fileName(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(abs), "/")
	for i := range parts {
		name := path.Join(append([]string{"home"}, parts[i:]...)...)
		if strings.HasPrefix(parts[i], ".") && corpus.IsTranscript(s.tool, name) {
			clean, err := s.text([]byte(name))
			if err != nil {
				return ""
			}
			return string(clean)
		}
	}
	base := parts[len(parts)-1]
	for _, dir := range []string{".claude/projects/captured", ".codex/sessions", ".gemini/tmp/captured/chats", ".qwen/projects/captured/chats", ".copilot/session-state/captured", ".pi/agent/sessions"} {
		if name := path.Join("home", dir, base); corpus.IsTranscript(s.tool, name) {
			return name
		}
	}
	return ""
}
