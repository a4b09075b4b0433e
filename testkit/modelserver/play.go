package modelserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// Log is what was asked of the tool, and what became of it.
type Log struct {
	Starts      []int    // the turns, as the model saw them begin
	Calls       []Call   // in the order in which they were asked
	Compactions int      // requests for a summary
	Outside     []string // hosts past loopback that the tool asked the proxy for
	Cut         []string // answers that the tool did not hear to the end
}

// Call is a call that the model asked for.
type Call struct {
	ID, Tool   string
	Kind       script.Kind
	Turn, Step int
	Subagent   bool
	Paths      []string // the files that it is to change, relative to the work tree
	Shell      bool     // it is a shell command
	Answered   bool     // its result came back
	Failed     bool     // the result says so
	Result     string
	// Before and After are the work tree, when the call was asked for and when its
	// result came; calls of one step share what is between.
	Before, After map[string]string

	cut bool // the tool may never have heard of it
}

// Changed reports whether a file was not after the call what it had been.
func (c *Call) Changed(path string) bool {
	before, was := c.Before[path]
	after, is := c.After[path]
	return was != is || before != after
}

// request is what a tool asks, whatever the API.
type request struct {
	system   string
	messages []message
	tools    map[string]tool
	size     int
	streamed bool
	aux      string // what an answer outside of the conversation must be, if it must be that
}

type role int

const (
	user role = iota
	assistant
	other
)

// message is a piece of the conversation so far.
type message struct {
	role    role
	text    string
	calls   []string // ids of calls; "" where the API has none
	results []result
}

type result struct {
	call   string
	failed bool
	text   string
}

// tool is what a request says of a tool.
type tool struct {
	kind       string
	namespace  string
	properties map[string]property
}

// answer is what the model says.
type answer struct {
	req    *request
	say    []string
	think  []string
	calls  []call
	tokens int // what it reports as its input; 0 is what it was
	refuse *script.Op
	cut    int  // after so many events the answer breaks off; 0 is never
	over   bool // the answer ends within its last call
	moment
}

// call is an op in the words of a tool.
type call struct {
	id    string
	name  string
	input any // a string for a tool that takes text
	kind  script.Kind
	paths []string
	shell bool
	item  object // of an API whose calls have several forms
}

// moment is a place in the script.
type moment struct{ turn, step int }

// play is how far the script was played.
type play struct {
	at        map[string]moment // where a call belongs, by its id
	furthest  map[int]int       // the last step played, by turn
	called    map[int][]int     // the steps that asked for calls, by turn
	refused   map[moment]int
	times     map[moment]int // how often a step was played
	last      int            // the turn of the main line that was played last
	begun     bool
	compacted bool
	searched  bool            // the tool was asked to look for a tool
	found     map[string]bool // the tools that were looked for
	spawned   string          // what came back of sending a subagent
}

// asksForSummary lists how the tools begin to ask for a summary of it all.
func asksForSummary(text string) bool {
	return slices.ContainsFunc([]string{
		"Your task is to create a detailed summary", "CONTEXT CHECKPOINT COMPACTION", "short memento message", "tasked with summarizing conversations",
		"state_snapshot", "You are the component that summarizes", "produce a structured summary",
		"You are a summarization agent", "Summarize the conversation", "Create a new anchored summary", "Update the anchored summary", "Provide a detailed prompt for continuing", "create a detailed summary of the conversation", "given a task to compact this conversation",
	}, func(mark string) bool { return strings.Contains(text, mark) })
}

// isForSummary reports whether a request is made for nothing but a summary.
func (r *request) isForSummary() bool {
	return strings.Contains(r.system, "tasked with summarizing conversations") || strings.Contains(r.system, "produce a structured summary") || len(r.tools) == 0 && strings.Contains(r.system, "state_snapshot")
}

// endsWithSummary reports whether a summary is the last thing that is asked for.
// Notes that the client adds to the conversation may stand behind it.
func (r *request) endsWithSummary() bool {
	for _, m := range slices.Backward(r.messages) {
		switch {
		case m.role == assistant:
			return false
		case asksForSummary(m.text):
			return true
		case m.role != other || len(m.results) > 0:
			return false
		}
	}
	return false
}

const (
	summary = "<analysis>\nThe user made a decision and edits were applied.\n</analysis>\n\n<summary>\n1. Primary Request and Intent: see below.\n" +
		"2. Key decision: the team agreed on the convention the user stated; edits so far were applied to files under src/.\n" +
		"3. Pending tasks: continue with the remaining edits.\n</summary>"
	title = "Orders service change"
)

// next decides what to answer.
func (s *Server) next(d dialect, r *request) (*answer, error) {
	if err := s.settle(r); err != nil {
		return nil, err
	}
	last := ""
	for _, m := range r.messages {
		if m.role == user && strings.TrimSpace(m.text) != "" {
			last = m.text
		}
	}
	switch {
	case r.aux != "":
		return &answer{req: r, say: []string{r.aux}}, nil
	case r.endsWithSummary(), r.isForSummary():
		s.play.compacted = true
		s.log.Compactions++
		return &answer{req: r, say: []string{summary}}, nil
	case strings.Contains(last, "single-line task title"), strings.Contains(last, "Generate a concise title"):
		return &answer{req: r, say: []string{title}}, nil
	case len(r.tools) == 0:
		return &answer{req: r, say: []string{d.aside(r)}}, nil
	}
	at, ok := s.place(r.messages)
	if !ok {
		return &answer{req: r, say: []string{"OK."}}, nil
	}
	return s.step(d, r, at)
}

// settle takes in the results that a request brings.
func (s *Server) settle(r *request) error {
	var after map[string]string
	turn, _ := s.lastPrompt(r.messages)
	for _, m := range r.messages {
		for _, res := range m.results {
			c := s.openCall(res.call, turn)
			if c == nil {
				continue
			}
			if after == nil {
				var err error
				if after, err = s.tree(); err != nil {
					return err
				}
			}
			c.Answered, c.Failed, c.Result, c.After = true, res.failed, res.text, after
			if c.Kind == script.Task {
				s.play.spawned = res.text
			}
		}
	}
	return nil
}

// openCall finds the call that a result answers. Without an id, it is the first
// that waits of those that were asked last in the turn: what was refused or
// stopped before is never answered.
func (s *Server) openCall(id string, turn int) *Call {
	step := -1
	for _, c := range slices.Backward(s.calls) {
		if id == "" && !c.Answered && c.Turn == turn {
			step = c.Step
			break
		}
	}
	for _, c := range s.calls {
		if !c.Answered && (c.ID == id || id == "" && (step < 0 || c.Turn == turn && c.Step == step)) {
			return c
		}
	}
	return nil
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// place finds the step that comes next: after the last prompt of the script that
// the conversation holds, the one after the last whose calls it holds.
func (s *Server) place(all []message) (moment, bool) {
	turn, from := s.lastPrompt(all)
	if turn < 0 {
		if !s.play.compacted || !s.play.begun {
			return moment{}, false
		}
		return moment{s.play.last, s.play.furthest[s.play.last] + 1}, true
	}
	next, unnamed := 0, 0
	for _, m := range all[from:] {
		for _, id := range m.calls {
			if at, ok := s.play.at[id]; ok && at.turn == turn {
				next = max(next, at.step+1)
			}
		}
		if slices.Contains(m.calls, "") {
			unnamed++
		}
	}
	if called := s.play.called[turn]; 0 < unnamed && unnamed <= len(called) {
		next = max(next, called[unnamed-1]+1) // steps may have been left out
	}
	next = max(next, unnamed)
	far, played := s.play.furthest[turn]
	if s.play.compacted && played && (next == 0 || unnamed > 0) && !strings.HasPrefix(s.scenario.Turns[turn].Prompt, "/") {
		next = max(next, far+1)
	}
	return moment{turn, next}, true
}

// lastPrompt finds the last message with a prompt of the script in it.
func (s *Server) lastPrompt(all []message) (turn, from int) {
	turn = -1
	for i, m := range all {
		if m.role != user || m.text == "" {
			continue
		}
		text, last := squeezed(m.text), -1
		for t := range s.scenario.Turns {
			if at := strings.LastIndex(text, squeezed(s.scenario.Turns[t].Key)); at > last {
				turn, from, last = t, i, at
			}
		}
	}
	return turn, from
}

// step says a step in the tool's words. One that the tool has no words for is
// left out, and the next is said instead.
func (s *Server) step(d dialect, r *request, at moment) (*answer, error) {
	t := &s.scenario.Turns[at.turn]
	a := &answer{req: r, moment: at}
	v := &vocabulary{tools: r.tools, work: s.work, play: &s.play}
	for {
		if refused := s.ops(d, v, a); refused {
			return a, nil
		}
		if len(a.calls) > 0 || a.step >= len(t.Steps)-1 {
			break
		}
		a.step++
	}
	return a, s.played(a, t.Subagent)
}

// ops adds the ops of one step, or what the server refuses the request with.
func (s *Server) ops(d dialect, v *vocabulary, a *answer) (refused bool) {
	steps := s.scenario.Turns[a.turn].Steps
	if a.step >= len(steps) {
		a.say = append(a.say, "Done.")
		return false
	}
	step := steps[a.step]
	for i := range step {
		switch op := &step[i]; op.Kind {
		case script.Say:
			a.say = append(a.say, op.Text)
		case script.Think:
			a.think = append(a.think, op.Text)
		case script.Usage:
			a.tokens = op.Tokens
		case script.Refuse:
			if s.spoilt(a, op) {
				a.refuse = op
				return true
			}
		case script.Cut:
			if s.spoilt(a, op) {
				a.cut = op.After
			}
		case script.Overrun:
			a.over = s.spoilt(a, op)
		default:
			a.calls = append(a.calls, d.calls(v, op)...)
		}
	}
	return false
}

// spoilt reports whether an op that spoils a step does so again.
func (s *Server) spoilt(a *answer, op *script.Op) bool {
	if s.play.refused[a.moment] >= op.Times {
		return false
	}
	s.play.refused[a.moment]++
	return true
}

// played notes what is said.
func (s *Server) played(a *answer, subagent bool) error {
	if a.step == 0 || s.startsBehind(a.moment) {
		s.log.Starts = append(s.log.Starts, a.turn)
	}
	s.play.times[a.moment]++
	s.play.furthest[a.turn] = max(s.play.furthest[a.turn], a.step)
	if steps := s.play.called[a.turn]; len(a.calls) > 0 && !slices.Contains(steps, a.step) {
		s.play.called[a.turn] = append(steps, a.step)
	}
	if !subagent {
		s.play.last, s.play.begun = a.turn, true
	}
	close(s.moved)
	s.moved = make(chan struct{})
	before, err := s.tree()
	if err != nil {
		return err
	}
	for _, c := range s.calls {
		if !c.Answered && c.After == nil && !c.cut {
			c.After = before // unless its result comes yet
		}
	}
	for i := range a.calls {
		c := &a.calls[i]
		c.id = "call_" + s.freshID(letters, 24)
		if _, ok := a.req.tools["Bash"]; ok {
			c.id = "toolu_01" + s.freshID(letters, 22)
		}
		s.play.at[c.id] = a.moment
		s.calls = append(s.calls, &Call{
			ID: c.id, Tool: c.name, Kind: c.kind, Turn: a.turn, Step: a.step, Subagent: subagent,
			Paths: cleaned(c.paths), Shell: c.shell, Before: before, cut: a.cut > 0 || a.over,
		})
	}
	return nil
}

// startsBehind reports whether a turn begins later than with its first step,
// because the tool has no words for that.
func (s *Server) startsBehind(at moment) bool {
	_, begun := s.play.furthest[at.turn]
	return !begun
}

func cleaned(paths []string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, path.Clean(p))
	}
	return all
}

// tree reads the work tree and what lies beside it, but for what git keeps there.
func (s *Server) tree() (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(s.work), func(at string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular() && d.Type() != fs.ModeSymlink:
			return nil
		}
		data, err := os.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) || err != nil && d.Type() == fs.ModeSymlink {
			return nil
		}
		rel, again := filepath.Rel(s.work, at)
		files[filepath.ToSlash(rel)] = string(data)
		return errors.Join(err, again)
	})
	if err != nil {
		return nil, fmt.Errorf("read work tree: %w", err)
	}
	for _, name := range s.scenario.Beside() {
		data, err := os.ReadFile(filepath.Join(s.work, filepath.FromSlash(name)))
		if err == nil {
			files[name] = string(data)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read file beside the work tree: %w", err)
		}
	}
	return files, nil
}
