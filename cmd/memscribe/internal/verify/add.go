package verify

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/scrub"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// AddOptions say which session is added to which corpus.
type AddOptions struct {
	File   string
	As     string // the tool that wrote it
	Name   string // of its scenario
	Corpus string // the folder
}

// Add scrubs a session and adds it to a corpus, under
// corpus/<tool>/<version>/<name>/home/…, as the tool would have it. It writes all of it
// or nothing: the scrubbed session must keep every promise, and nothing that was to be
// removed may be left in it. The result is for a person to read before it is published.
func Add(a *cli.App, o AddOptions) error {
	if o.As == "" || o.Name == "" {
		return usage.Errorf("--capture needs --as and --name")
	}
	if !regexp.MustCompile(`^[a-z0-9_]+(\+[a-z0-9_-]+)?$`).MatchString(o.Name) {
		return usage.Errorf("--name %q: want a scenario such as happy_path, or happy_path+variant", o.Name)
	}
	adapter, err := source.AdapterOf(a.Machine, o.As)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(o.File)
	if err != nil {
		return fmt.Errorf("read session: %w", err)
	}
	s, err := newScrubbing(a, adapter.Tool())
	if err != nil {
		return err
	}
	clean, err := s.transcript(data)
	if err != nil {
		return err
	}
	name := s.fileName(o.File)
	if name == "" {
		return usage.Errorf("%s lies in no folder of %s: put it where the tool would", o.File, o.As)
	}
	in := trial.Input{Adapter: adapter, Path: name, Name: name, Data: clean}
	v := newVerdict()
	r, err := v.read(o.File, []trial.Input{in})
	if err != nil {
		return err
	}
	v.add(o.File, s.remains(clean))
	if len(v.Broken) > 0 {
		return errors.Join(v.write(a, false), report.ErrFound)
	}
	target := filepath.Join(o.Corpus, o.As, versionOf(r), o.Name, filepath.FromSlash(name))
	if _, err = os.Lstat(target); err == nil {
		return usage.Errorf("%s is there already", target)
	}
	if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = os.WriteFile(target, clean, 0o644)
	}
	if err != nil {
		return fmt.Errorf("add session: %w", err)
	}
	_, err = a.Stdout.Printf("wrote %s: read it, line by line, before anybody else does\n", target)
	return err
}

// versionOf is the version of the tool that a session says it was recorded with.
func versionOf(r *trial.Result) string {
	version := regexp.MustCompile(`"tool_version":"([0-9][0-9A-Za-z.-]*)"`)
	for _, e := range r.Events() {
		if m := version.FindSubmatch(e.JSON); m != nil {
			return string(m[1])
		}
	}
	return "unknown"
}

// scrubbing takes out of a session what belongs to somebody.
type scrubbing struct {
	tool    core.Tool
	engine  *redact.Engine
	replace []replacement
}

type replacement struct {
	what *regexp.Regexp
	with string
}

// The person that a scrubbed session is of.
const (
	anyone      = "dev"
	anyonesMail = "dev@example.com"
)

// newScrubbing returns the replacements for a session that is added to a corpus:
// mail addresses, home folders, secrets and the vendor's texts.
//
// Names of the user come from the home folder and the environment. A name of fewer than
// three letters, or one like "user", is not replaced: it would change words that mean
// something else.
func newScrubbing(a *cli.App, tool core.Tool) (*scrubbing, error) {
	engine, err := redact.New(a.Rules.Redaction)
	if err != nil {
		return nil, err
	}
	s := &scrubbing{tool: tool, engine: engine, replace: []replacement{
		{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`), anyonesMail},
		{regexp.MustCompile(`(/home/|/Users/|[A-Za-z]:\\Users\\|-home-|-Users-)[A-Za-z0-9._]+`), "${1}" + anyone},
		{regexp.MustCompile(`/root\b`), "/home/" + anyone},
	}}
	if home, err := a.Home(); err == nil {
		s.replace = append(s.replace, replacement{regexp.MustCompile(regexp.QuoteMeta(home) + `\b`), "/home/" + anyone})
		s.addName(filepath.Base(home))
	}
	for _, variable := range []string{"USER", "USERNAME", "LOGNAME"} {
		s.addName(a.Getenv(variable))
	}
	return s, nil
}

// addName has a user's name replaced, if it is one that means nothing else.
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

// transcript scrubs a session: its vendor's texts go first, then every string of
// it is scrubbed. All other bytes stay as the tool wrote them.
//
// It goes from quote to quote without parsing, so numbers, spaces and the order of
// members stay exactly as the tool wrote them; parsers depend on such things.
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

// stringEnd is where a string of JSON ends: at its quote, or with the data.
func stringEnd(data []byte, at int) int {
	for at < len(data) && data[at] != '"' {
		if data[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(data))
}

// remains says what is left in a scrubbed session that should not be.
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

// fileName is where the transcript lies in its case: as in the tool's home. "" is
// nowhere.
//
// The path is looked for from the left, for the first hidden folder below which the
// tool would keep such a file: /home/ann/.claude/projects/p/s.jsonl becomes
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
