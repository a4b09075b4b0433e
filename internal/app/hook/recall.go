package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/check"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/recall"
	"github.com/memscribe/memscribe/internal/rules/inforce"
	"github.com/memscribe/memscribe/internal/smallfile"
	"github.com/memscribe/memscribe/internal/visible"
)

// Recall says whether and how a hook answers with the decisions in force.
type Recall struct {
	Wanted bool
	// the longest text at the beginning of a session; an edit gets a third
	Tokens   int
	Database func() (string, error) // returns the database of watch
}

const (
	// mostRules is how many rules are read: many more than the budget has room for.
	mostRules = 32
	// mostBehind is the largest number of decisions behind one file.
	mostBehind = 8
	// sureBehind is the least score of a decision that an edit carried out. It is lower than
	// for others, since the edit is further evidence.
	sureBehind = 70
	// editShare is the part of the budget for an edit: 1/editShare.
	editShare = 3
)

// moment is the occasion on which a tool calls the hook. It decides what the answer holds:
//
//	begins    the rules in force in the project
//	asked     the same, if the conversation was summarized since they were given
//	edits     the decisions behind the file, and the bans that an edit of it could break
//	forgets   no answer: it is noted that the model forgets what it was given
type moment int

const (
	other   moment = iota
	begins         // a session begins, or continues with a summary of itself
	forgets        // the conversation is about to be summarized
	asked          // a person said something
	edits          // a file is about to be edited, or was read
)

// momentOf returns the moment of an event. Names that begin in lower case are Cursor's, the others those
// of Claude Code and the tools that follow it, Gemini CLI's among them. Gemini CLI takes no
// answer before an edit; it reads a file before it edits it, so the answer comes with the read.
func momentOf(tool core.Tool, event, call string) moment {
	switch event {
	case "SessionStart", "sessionStart":
		return begins
	case "PreCompact", "PreCompress", "PostCompact", "preCompact":
		return forgets
	case "UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt":
		return asked
	case "PreToolUse", "preToolUse":
		return edits
	case "AfterTool":
		if tool == core.Gemini && strings.HasPrefix(call, "read_") {
			return edits
		}
	}
	return other
}

// The headings in an answer before an edit.
const (
	forbiddenHere = "Forbidden here"
	behindEdits   = "Behind its edits"
)

// recallPatience is how long an answer may take. Without an answer the tool continues.
const recallPatience = 500 * time.Millisecond

// call is the part of a payload that recall needs.
type call struct {
	tool    core.Tool
	event   string
	moment  moment
	session string
	cwd     string
	paths   []string
}

// read returns the call in a payload.
func read(tool core.Tool, payload jsondoc.Value) call {
	c := call{tool: tool, event: payload.Get("hook_event_name").Str(), session: cmp.Or(payload.Get("session_id").Str(), payload.Get("sessionId").Str(), payload.Get("conversation_id").Str())}
	c.moment = momentOf(tool, c.event, payload.Get("tool_name").Str())
	s := subjectOf(tool, payload)
	if s.Project != nil {
		c.cwd = s.Project.Cwd
	}
	if s.Path != "" {
		c.paths = append(c.paths, s.Path)
	}
	in := payload.Get("tool_input")
	c.paths = append(c.paths, patched(cmp.Or(in.Get("command").Str(), in.Get("input").Str(), in.Get("patch").Str()))...)
	for _, name := range []string{"absolute_path", "notebook_path"} {
		if p := in.Get(name).Str(); p != "" {
			c.paths = append(c.paths, p)
		}
	}
	return c
}

// patched returns the files that a patch in Codex's form changes, at most mostBehind:
//
//	*** Begin Patch
//	*** Update File: src/db.go
func patched(patch string) (paths []string) {
	if !strings.HasPrefix(strings.TrimSpace(patch), "*** Begin Patch") {
		return nil
	}
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Update File: ", "*** Delete File: ", "*** Add File: "} {
			if p, ok := strings.CutPrefix(line, head); ok && len(paths) < mostBehind {
				paths = append(paths, strings.TrimSpace(p))
			}
		}
	}
	return paths
}

// recall writes the answer for the tool, in the form that the tool reads. There is no answer if
// nothing is in force, or if the session was given all of it before. It takes at most
// recallPatience; after that the error is that of the context, and the tool continues without.
func (o *Options) recall(ctx context.Context, s *setup.Setup, c *call) error {
	state, err := s.StateDir(o.StateDir)
	if err != nil || c.moment == other || c.cwd == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, recallPatience)
	defer cancel()
	told := openTold(filepath.Join(state, "recall"), c, s.Now())
	switch {
	case c.moment == forgets:
		return told.forget()
	case c.moment == asked && !told.forgotten:
		return nil
	}
	path, err := o.Recall.Database()
	if err != nil {
		return err
	}
	if _, none := os.Stat(path); none != nil {
		return nil // nothing was captured yet
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	q := question{reader: r, clean: &cleaner{dir: filepath.Join(state, "recall")}, told: told, root: rootOf(c.cwd)}
	if q.projects, err = q.named(ctx); err != nil || len(q.projects) == 0 {
		return err
	}
	text, items, err := q.answer(ctx, c, o.Recall.Tokens)
	if err != nil || text == "" {
		return err
	}
	if err := say(s.Data(), c, text); err != nil {
		return err
	}
	return told.add(items)
}

// question finds what is in force for one call.
type question struct {
	reader   *nodedb.Reader
	clean    *cleaner
	told     *told
	root     string // root folder of the project
	projects []string
}

// named returns the names under which the database has the project: its root folder and the
// folders below it. If it has none, the project may have been moved: then the only known folder
// with the same last element counts, if it no longer exists.
func (q *question) named(ctx context.Context) (names []string, err error) {
	all, err := q.reader.ProjectNames(ctx)
	if err != nil {
		return nil, err
	}
	var moved []string
	for _, p := range all {
		switch {
		case nodedb.InProject(p, q.root):
			names = append(names, p)
		case filepath.Base(filepath.FromSlash(p)) == filepath.Base(q.root):
			if _, err := os.Stat(p); err != nil {
				moved = append(moved, p)
			}
		}
	}
	if len(names) == 0 && len(moved) == 1 {
		return moved, nil
	}
	return names, nil
}

// answer returns the text for a moment, and the items in it.
func (q *question) answer(ctx context.Context, c *call, tokens int) (string, []recall.Item, error) {
	standing, err := q.rules(ctx)
	if err != nil {
		return "", nil, err
	}
	if c.moment != edits {
		text, items := recall.Text(recall.OfProject, standing, tokens)
		return text, items, nil
	}
	var items []recall.Item
	for _, path := range c.paths {
		about, err := q.about(ctx, q.within(path, c.cwd), standing)
		if err != nil {
			return "", nil, err
		}
		items = append(items, about...)
	}
	items = slices.DeleteFunc(items, func(it recall.Item) bool { return q.told.has(it) })
	if len(items) == 0 {
		return "", nil, nil
	}
	text, items := recall.Text(fmt.Sprintf(recall.OfFile, q.within(c.paths[0], c.cwd)), items, tokens/editShare)
	return text, items, nil
}

// within returns the path of a file below the project.
func (q *question) within(path, cwd string) string {
	if !filepath.IsAbs(path) && !strings.HasPrefix(path, "/") { // on Windows, of a tool in its Linux
		path = filepath.Join(cwd, path)
	}
	if rel, err := filepath.Rel(q.root, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}

// rules returns the rules of the project, the best rank first. A title that may hold words of
// an agent or a teammate is left out if it gives orders to agents.
func (q *question) rules(ctx context.Context) ([]recall.Item, error) {
	nodes, err := q.reader.Standing(ctx, q.projects, mostRules)
	if err != nil {
		return nil, err
	}
	all, err := decoded(nodes)
	if err != nil {
		return nil, err
	}
	others := map[string]bool{} // whose titles have words of an agent, or of a teammate
	for i := range all {
		others[all[i].ID] = hasOthersWords(&all[i])
	}
	var items []recall.Item
	for _, r := range inforce.Of(all) {
		if others[r.ID] && !q.clean.is(r.Title) {
			continue
		}
		items = append(items, recall.Item{ID: r.ID, Head: recall.HeadOf(r.Kind), Title: r.Title, Time: r.Timestamp})
	}
	return items, nil
}

// hasOthersWords reports whether the title of a decision may have other words than those
// of the person at this machine.
func hasOthersWords(d *decisions.Decision) bool {
	return d.Confirmation != "" || d.DecidedBy != string(core.User) || d.Mark.Shared != nil
}

// about returns the decisions behind a file, and the bans that an edit of it breaks. path is
// relative to the root of the project. The bans come first.
func (q *question) about(ctx context.Context, path string, standing []recall.Item) (items []recall.Item, err error) {
	var bans []check.Rule
	var of []recall.Item
	for _, it := range standing {
		if it.Head == recall.Forbidden {
			bans, of = append(bans, check.Rule{ID: it.ID, Text: it.Title}), append(of, it)
		}
	}
	for _, f := range check.Find(bans, []check.Change{{Path: path, Status: check.Modified}}) {
		it := of[f.Rule]
		it.Head = forbiddenHere
		items = append(items, it)
	}
	nodes, err := q.reader.Behind(ctx, q.projects, path, mostBehind)
	if err != nil {
		return nil, err
	}
	all, err := decoded(nodes)
	for i := range all {
		d := &all[i]
		title := visible.Line(d.Title)
		if d.Score < sureBehind && !d.Mark.Accepted && d.Confirmation == "" || hasOthersWords(d) && !q.clean.is(title) {
			continue
		}
		items = append(items, recall.Item{ID: d.ID, Head: behindEdits, Title: title, Time: d.Timestamp})
	}
	return items, err
}

// decoded reads decisions from their nodes.
func decoded(nodes []nodedb.Node) ([]decisions.Decision, error) {
	all := make([]decisions.Decision, 0, len(nodes))
	for i := range nodes {
		d, err := decisions.Read(&nodes[i])
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// rootOf returns the root of the repository of a folder; for a linked work tree, that of the main
// one; without a repository, the folder itself. It does not run git, which takes longer than all
// the rest.
func rootOf(dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		switch {
		case err == nil && info.Mode().IsRegular():
			return linkedTo(at)
		case err == nil:
			return at
		case filepath.Dir(at) == at:
			return filepath.Clean(dir)
		}
	}
}

// maxGitFile is the size of the largest .git file that is read, in bytes.
const maxGitFile = 4 << 10

// linkedTo returns the main work tree of a linked one, or "" if it is not known.
func linkedTo(tree string) string {
	text, err := smallfile.Read(filepath.Join(tree, ".git"), maxGitFile)
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	main, _, linked := strings.Cut(filepath.ToSlash(dir), "/.git/worktrees/")
	if err != nil || !ok || !linked {
		return tree
	}
	return filepath.FromSlash(main)
}

// specific is the part of an answer that depends on the event, in the form of Claude
// Code and of those that follow it.
type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// say prints a text in the form that the tool reads.
func say(w io.Writer, c *call, text string) error {
	var out struct {
		Specific *specific `json:"hookSpecificOutput,omitempty"`
		Context  string    `json:"additionalContext,omitempty"`  // Copilot CLI
		Cursor   string    `json:"additional_context,omitempty"` // Cursor
	}
	switch c.tool {
	case core.Cursor:
		out.Cursor = text
	case core.Copilot:
		out.Context = text
		fallthrough
	default:
		out.Specific = &specific{c.event, text}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}
