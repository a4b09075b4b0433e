// Package hook takes one call of a tool's hook: it stores what the tool passes, redacted
// and durable, and answers with the decisions in force, within two seconds.
//
// A tool waits for its hook, so a failure is never reported to the tool. What was not
// stored is found in the transcript later.
//
//	payload ── parse (adapters/hooks) ── excluded or forgotten? ── redact ──▶ journal, synced
//	                                            │ yes: nothing is kept
//	                                            ▼
//	database ── decisions in force ── recall ──▶ answer, if the event allows one
//
// A hook runs once for every call of a tool, so it must be quick: it reads no transcript, and the
// collector is off, since the process ends soon. The whole call takes at most patience.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/io/journal"
)

const (
	// patience is how long a hook waits for its input and for the disk.
	patience = 2 * time.Second
	// maxPayload is how many bytes of a payload are read.
	maxPayload = 64 << 20
)

// Options are what is kept of a payload.
type Options struct {
	Privacy  source.Privacy
	Tool     string // the tool that runs the hook; "" means that the payload shows it
	StateDir string
	Withhold string // the reason for keeping only pointers; "" means that the payload is kept
	Recall   Recall
}

// heap is the memory limit at which a hook collects garbage after all.
const heap = 110 << 20

// Run handles one payload: the content of in, or the last argument. in is nil at a terminal,
// where there is no payload. The answer for the tool is written to [setup.Setup.Data]. The
// error is for the log: the command exits with 0 whatever happens, as a tool may take another
// code for a veto of what it is about to do.
func Run(ctx context.Context, s *setup.Setup, o Options, in io.Reader, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.SetGCPercent != nil && s.SetMemoryLimit != nil {
		s.SetGCPercent(-1) // the process ends before collecting would pay
		s.SetMemoryLimit(heap)
	}
	if s.SetMaxProcs != nil {
		s.SetMaxProcs(1) // more threads would cost more than they do
	}
	body, err := payload(ctx, in, args)
	if err != nil {
		return fmt.Errorf("read payload: %w", err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	dir, err := s.JournalDir(o.StateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	if o.Privacy.NoContent {
		o.Withhold = "no_content"
	}
	tool := slug(toolOf(o.Tool, body))
	project, file, err := o.leftOut(s, tool, body)
	if project || err != nil {
		return err
	}
	if file {
		o.Withhold = "excluded"
	}
	done, failed := o.remind(ctx, s, tool, body)
	if done {
		return failed
	}
	return errors.Join(failed, o.keep(ctx, s, dir, tool, body))
}

// remind answers with the decisions in force, if the user wants that. done is true if the
// payload is not kept: it only announces an edit or a summary. What happens then comes with a
// payload of its own, apart from Gemini CLI's AfterTool, which is both.
func (o *Options) remind(ctx context.Context, s *setup.Setup, tool core.Tool, body []byte) (done bool, err error) {
	var doc jsondoc.Doc
	if !o.Recall.Wanted {
		return false, nil
	}
	if _, err := doc.Parse(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))); err != nil {
		return false, nil //nolint:nilerr // it is no payload
	}
	c := read(tool, doc.Root())
	return c.moment == forgets || c.moment == edits && c.event != "AfterTool", o.recall(ctx, s, &c)
}

// keep redacts a payload, appends it to the journal of the tool and syncs the file.
func (o *Options) keep(ctx context.Context, s *setup.Setup, dir string, tool core.Tool, body []byte) error {
	scrubber, err := redact.New(o.Privacy.Rules.Redaction)
	if err != nil {
		return err
	}
	j, err := journal.Open(filepath.Join(dir, host.HookJournals, string(tool)), journal.Standard())
	if err != nil {
		return err
	}
	return j.Append(ctx, journal.HookLine(scrubber, journal.Hook{
		Tool: tool, Received: s.Now(), Payload: body, Withhold: o.Withhold,
	}))
}

// leftOut reports whether the project of a payload is excluded or forgotten; then nothing of
// the payload is kept. file reports whether only its file is excluded; then the text is
// withheld.
func (o *Options) leftOut(s *setup.Setup, tool core.Tool, payload []byte) (project, file bool, err error) {
	leave, err := o.Privacy.Leave()
	if err != nil {
		return false, false, err
	}
	var doc jsondoc.Doc
	if _, broken := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); broken != nil {
		return false, false, nil //nolint:nilerr // of something else than a payload nothing is known
	}
	about := subjectOf(tool, doc.Root())
	if about.Project != nil && leave(pipeline.Subject{Tool: tool, Project: about.Project}) {
		return true, false, nil
	}
	if about.Project != nil {
		if project, err = isForgotten(s, about.Project); project || err != nil {
			return project, false, err
		}
	}
	return false, about.Path != "" && leave(about), nil
}

// isForgotten reports whether a project is forgotten.
func isForgotten(s *setup.Setup, p *core.Project) (bool, error) {
	file, err := s.ForgottenFile()
	if err != nil {
		return false, nil //nolint:nilerr // where there is no data folder, nothing was ever forgotten
	}
	book, err := forget.Read(file)
	if err != nil {
		return false, err
	}
	return book.Project(p), nil
}

// subjectOf returns the project and the file of a payload. The members differ between tools:
// cwd is Claude Code's and most others', tool_info.cwd Windsurf's, workspace_roots Cursor's;
// toolArgs is Copilot CLI's name for tool_input.
func subjectOf(tool core.Tool, payload jsondoc.Value) pipeline.Subject {
	s := pipeline.Subject{Tool: tool}
	cwd := cmp.Or(payload.Get("cwd").Str(), payload.Path("tool_info", "cwd").Str())
	for v := range payload.Get("workspace_roots").Elems() {
		cwd = cmp.Or(cwd, v.Str())
	}
	if cwd != "" {
		s.Project = &core.Project{Cwd: cwd}
	}
	s.Path = payload.Get("file_path").Str()
	for _, in := range []string{"tool_input", "toolArgs", "tool_info"} {
		args := payload.Get(in)
		s.Path = cmp.Or(s.Path, args.Get("file_path").Str(), args.Get("filePath").Str(), args.Get("path").Str())
	}
	return s
}

// payload returns the payload from standard input. Older versions of Codex pass it as the last
// argument of their notify command instead. Of a payload over 64 MiB the beginning is returned
// and the rest is read and dropped, as a tool that cannot write it all would fail.
func payload(ctx context.Context, stdin io.Reader, args []string) ([]byte, error) {
	if n := len(args); n > 0 && strings.HasPrefix(strings.TrimSpace(args[n-1]), "{") {
		return []byte(args[n-1]), nil
	}
	if stdin == nil {
		return nil, nil // a person ran it at a terminal; there is no input to wait for
	}
	in := interrupt.Reader(ctx, stdin)
	body, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil || len(body) <= maxPayload {
		return body, err
	}
	_, err = io.Copy(io.Discard, in) // so that the tool can write all of its payload
	return body[:maxPayload], err
}

// toolOf returns the tool of a payload: the named one, else the one that the payload shows.
func toolOf(named string, payload []byte) core.Tool {
	var doc jsondoc.Doc
	if _, err := doc.Parse(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))); err != nil {
		return core.Tool(named)
	}
	tool, sure := hooks.ToolOf(doc.Root())
	if sure || named == "" {
		return tool
	}
	return core.Tool(named)
}

// slug returns the name of a tool with only the letters of tool names. The name becomes the folder of
// a journal, and the argument may be anything.
func slug(tool core.Tool) core.Tool {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(string(tool)))
	name = strings.TrimLeft(name, "0123456789_")
	if name == "" {
		return hooks.Unnamed
	}
	return core.Tool(name[:min(len(name), 40)])
}
