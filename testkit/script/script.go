// Package script defines the scripts for recording tools: what a person types and
// what the model answers, step by step.
//
// A script is data and knows no tool: it speaks of reading, editing and running,
// and whoever plays it says that in the words of the tool at hand. The names are
// those of the recorded scenarios; internal/verify/scenario states what each must show.
package script

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/verify/truth"
)

// Each file is one scenario.
//
//go:embed scenarios
var files embed.FS

// Scenario is one script.
type Scenario struct {
	Name       string       `json:"-"`
	Extra      []File       `json:"files"`      // what is in the work tree besides the files of every scenario
	Home       []File       `json:"home"`       // what is in the tool's home
	Only       []string     `json:"only"`       // the tools that have what the script is about; none is all
	Servers    []ToolServer `json:"servers"`    // of tools, that speak MCP
	Recall     bool         `json:"recall"`     // hooks of the [Scenario.Own] server tell the tool what is in force
	Permission Permission   `json:"permission"` // what the tool may do without asking
	Model      string       `json:"model"`      // what the model is called, where a tool offers one model other tools than another
	Turns      []Turn       `json:"turns"`
	Runs       []Run        `json:"runs"` // the processes of the tool, one after another, or two at once
}

// Permission is what a tool may do without asking.
type Permission string

// The permissions. Where nothing is said, everything is allowed.
const (
	Anything Permission = ""
	Asking   Permission = "default" // no one is there to be asked: whatever needs it is refused
	Planning Permission = "plan"
)

// File is a piece of a file of the work tree; pieces of one path follow each
// other. A text that stands Times times may hold "{0}": its number, from 1 on,
// padded to so many digits as there are zeros.
type File struct {
	Path  string `json:"path"`
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// ToolServer is a program that offers tools over MCP, on its standard input and
// output: one that is published on npm, or, without a package, this repository's
// memscribe, which knows what the sessions before this one said. In its arguments and
// variables "{work}" is the work tree, and "{store}" a folder in which it alone keeps
// what it knows.
type ToolServer struct {
	Name    string            `json:"name"` // as the tool is given it
	Package string            `json:"package"`
	Version string            `json:"version"`
	Program string            `json:"program"` // of the package
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// Own is the server that is this repository's program; nil if there is none.
func (s *Scenario) Own() *ToolServer {
	for i := range s.Servers {
		if s.Servers[i].Package == "" {
			return &s.Servers[i]
		}
	}
	return nil
}

// Turn is what one prompt leads to.
type Turn struct {
	Key      string `json:"key"` // what of the prompt no other one has
	Prompt   string `json:"prompt"`
	Said     string `json:"said"`     // what of the prompt is a person's turn; "" is all
	Subagent bool   `json:"subagent"` // the prompt is one that a call gives to a subagent
	Image    []byte `json:"image"`    // a picture that goes with the prompt
	Answer   string `json:"answer"`   // what a person answers, if the tool asks a question
	Steps    []Step `json:"steps"`
}

// Step is one answer of the model.
type Step []Op

// Op is one thing in an answer: words, or a call. Which fields it has, its kind
// says.
type Op struct {
	Kind       Kind            `json:"op"`
	Text       string          `json:"text"`
	Path       string          `json:"path"` // relative to the work tree
	To         string          `json:"to"`
	Content    string          `json:"content"`
	Old        string          `json:"old"`
	Absent     bool            `json:"absent"` // Old is not there: the edit is to fail
	New        string          `json:"new"`
	All        bool            `json:"all"` // every place where Old stands
	Edits      []Change        `json:"edits"`
	Command    string          `json:"command"`
	Title      string          `json:"title"`
	Background bool            `json:"background"`
	Items      []string        `json:"items"`
	Prompt     string          `json:"prompt"`
	Later      bool            `json:"after_search"` // only where the tool had to be searched for first
	Tokens     int             `json:"tokens"`
	Status     int             `json:"status"`
	Type       string          `json:"type"`
	Times      int             `json:"times"`
	After      int             `json:"after"`
	Mode       string          `json:"mode"`
	Cell       string          `json:"cell"`
	Source     string          `json:"source"`
	Server     string          `json:"server"`
	Tool       string          `json:"tool"`
	Input      json.RawMessage `json:"input"`
	Wrap       string          `json:"wrap"` // the command that applies it, where a tool changes files by patches: "{patch}" is the patch,
	Dir        string          `json:"dir"`  // with paths relative to this folder
}

// Change replaces one text in a file by another.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
	All  bool   `json:"all"`
}

// Apply makes the change in a content; false says that what it replaces is not
// there.
func (c *Change) Apply(content string) (string, bool) {
	if !strings.Contains(content, c.Old) {
		return content, false
	}
	if c.All {
		return strings.ReplaceAll(content, c.Old, c.New), true
	}
	return strings.Replace(content, c.Old, c.New, 1), true
}

// Kind is what an op is.
type Kind string

// The kinds of ops.
const (
	Say       Kind = "text"      // Text
	Think     Kind = "think"     // Text
	Usage     Kind = "usage"     // the answer reports Tokens as its input
	Refuse    Kind = "refuse"    // the server answers Status, Type and Text instead, so many Times
	Cut       Kind = "cut"       // the answer breaks off After so many events, so many Times
	Overrun   Kind = "overrun"   // the answer ends within its last call, as too long, so many Times
	Read      Kind = "read"      // Path
	Write     Kind = "write"     // Path, Content
	Edit      Kind = "edit"      // Path, Old, New, All
	MultiEdit Kind = "multiedit" // Path, Edits of it
	Patch     Kind = "patch"     // Edits, of several files: one call where a tool can do that
	Bash      Kind = "bash"      // Command, Title, Background; Path is of a file to look at afterwards
	Todo      Kind = "todo"      // Items
	Task      Kind = "task"      // Title, Prompt: a subagent is sent
	Wait      Kind = "wait"      // for the subagent
	Rename    Kind = "rename"    // Path, To, and Old and New in it
	Delete    Kind = "delete"    // Path
	Notebook  Kind = "notebook"  // Path, Mode, Cell, Source; or Old and New where there is no such tool
	Call      Kind = "call"      // Tool, Input: as it is, where the tool has that
	Search    Kind = "search"    // Items: "server/tool", or the names of the tool's own, where these must be looked for first
	Served    Kind = "served"    // Server, Tool, Input: a tool of a server; Path and To are of files that it is to change
)

// Run is one process of the tool, and how it comes to its session.
type Run struct {
	Mode      Mode     `json:"mode"`
	Turns     []int    `json:"turns"`
	Beside    *Moment  `json:"beside"`    // when it begins, if the process before it continues
	Interrupt *Moment  `json:"interrupt"` // when it gets SIGINT
	Kill      *Moment  `json:"kill"`      // when it gets SIGKILL
	Ops       []Remote `json:"ops"`       // of [Server] and [AsTool]
	Args      []string `json:"args"`      // what stands behind the program's name; of [Terminal] and [Command], and of Hermes Agent
	Idle      int      `json:"idle"`      // for how many days no one has done anything before it
	Keys      []Key    `json:"keys"`      // of [Terminal]
}

// Moment is when the model has played a step, and what it asks for is under way.
type Moment struct {
	Turn int `json:"turn"`
	Step int `json:"step"`
}

// Remote is what is asked of a tool that serves.
type Remote struct {
	Do    string `json:"do"`    // turn, command, turn_interrupt, rewind, unrewind, compact, name, shell, fork, pack
	Turn  int    `json:"turn"`  // of turn and turn_interrupt; of command the one whose prompt is its argument
	Turns int    `json:"turns"` // of rewind: how many turns are taken back
	Text  string `json:"text"`  // of name and shell, and the name of a command
}

// Key is one thing that a person does at a terminal, or waits for.
type Key struct {
	Do   Act    `json:"do"`
	Text string `json:"text"`
	Turn int    `json:"turn"`
	Step int    `json:"step"`
	Path string `json:"path"` // the file that has changed by then, by what the person has done
	// Args are those of an editor's command; "{work}" in them is the work tree.
	Args json.RawMessage `json:"args"`
}

// Act is what a person does at a terminal.
type Act string

// The acts.
const (
	Prompt Act = "prompt" // the prompt of Turn is typed and sent, and the model hears of it
	Type   Act = "type"   // Text
	Press  Act = "press"  // the keys that Text names, by spaces
	Paste  Act = "paste"  // Text, at once
	Played Act = "played" // the model has played Step of Turn, once more than before
	See    Act = "see"    // a regular expression matches the screen
	Quiet  Act = "quiet"  // the screen stays as it is for a while
	Rest   Act = "rest"   // nothing, for a second
	// In a window of an editor: Prompt waits for the response, Press names keys as
	// browsers do, See and those below name places by selectors of CSS.
	Send    Act = "send"    // the prompt of Turn is typed and sent
	Menu    Act = "menu"    // the editor's command that Text names, of those that it has for menus
	Click   Act = "click"   // the last place that is shown at Text
	Hover   Act = "hover"   // the same
	Restore Act = "restore" // the checkpoint before the last request
	Window  Act = "window"  // another window of the folder; of none, if Text says so
	Switch  Act = "switch"  // to the window that has the number Turn
	Again   Act = "again"   // nothing: the tool itself has done again what the model asked for in Step of Turn
)

// Mode is how a process comes to its session.
type Mode string

// The modes.
const (
	New      Mode = "new"
	Resume   Mode = "resume"    // by the session's id
	Continue Mode = "continue"  // the latest session
	Fork     Mode = "fork"      // a copy
	ResumeAt Mode = "resume_at" // as it was after the first turn
	Stream   Mode = "stream"    // several prompts to one process
	Server   Mode = "appserver" // driven by remote calls
	AsTool   Mode = "mcpserver" // driven as a server of tools, by whoever else speaks MCP
	Command  Mode = "command"   // a command that takes no prompt
	Terminal Mode = "terminal"  // driven by a person's keys
)

// Names lists the scenarios, sorted.
func Names() ([]string, error) {
	entries, err := fs.ReadDir(files, "scenarios")
	if err != nil {
		return nil, fmt.Errorf("list scripts: %w", err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names, nil
}

// Load reads one scenario.
func Load(name string) (*Scenario, error) {
	data, err := files.ReadFile(path.Join("scenarios", name+".json"))
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, err)
	}
	s.Name = name
	return s, nil
}

func parse(data []byte) (*Scenario, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	s := new(Scenario)
	if err := dec.Decode(s); err != nil {
		return nil, err
	}
	return s, s.check()
}

// check holds a script to what whoever plays it relies on.
func (s *Scenario) check() error {
	for i, t := range s.Turns {
		if t.Key == "" || !strings.Contains(t.Prompt, t.Key) {
			return fmt.Errorf("turn %d: its prompt does not hold its key %q", i, t.Key)
		}
		if len(t.Steps) == 0 {
			return fmt.Errorf("turn %d: no steps", i)
		}
	}
	for i, r := range s.Runs {
		if r.Beside != nil && (i == 0 || s.Runs[i-1].Beside != nil) {
			return fmt.Errorf("run %d: beside none, or a third", i)
		}
		for _, t := range r.Turns {
			if t < 0 || t >= len(s.Turns) || s.Turns[t].Subagent {
				return fmt.Errorf("run %d: turn %d is not one that a person takes", i, t)
			}
		}
		for _, k := range r.Keys {
			if _, err := regexp.Compile(k.Text); k.Do == See && err != nil {
				return fmt.Errorf("run %d: %w", i, err)
			}
			if k.Turn < 0 || k.Turn >= len(s.Turns) {
				return fmt.Errorf("run %d: there is no turn %d", i, k.Turn)
			}
		}
	}
	if len(s.Runs) == 0 {
		return errors.New("no runs")
	}
	if s.Recall && s.Own() == nil {
		return errors.New("hooks are to tell, and there is no program for them")
	}
	return nil
}

// AtTerminal reports whether a person's keys are played to the tool.
func (s *Scenario) AtTerminal() bool {
	return slices.ContainsFunc(s.Runs, func(r Run) bool { return r.Mode == Terminal })
}

// WorkTree is the content of the files in which the scenario begins, by their
// paths.
func (s *Scenario) WorkTree() (map[string]string, error) {
	tree, err := truth.Base(s.Name)
	if err != nil {
		return nil, fmt.Errorf("make work tree: %w", err)
	}
	maps.Copy(tree, contents(s.Extra))
	return tree, nil
}

// MemoryDir stands, in the paths of ops, for the folder in which the tool keeps its
// memories of the project.
const MemoryDir = "{memory}"

// PlaceMemories says where that folder is, relative to the work tree.
func (s *Scenario) PlaceMemories(dir string) {
	for t := range s.Turns {
		for _, step := range s.Turns[t].Steps {
			for i := range step {
				step[i].Path = strings.Replace(step[i].Path, MemoryDir, dir, 1)
			}
		}
	}
}

// window is the room that a model has for which the scripts report tokens.
const window = 200_000

// FillWindow has the answers report as much as fills another room likewise.
func (s *Scenario) FillWindow(size int) {
	for t := range s.Turns {
		for _, step := range s.Turns[t].Steps {
			for i := range step {
				step[i].Tokens = step[i].Tokens * (size / 1000) / (window / 1000)
			}
		}
	}
}

// Beside lists the files that ops name and that lie outside of the work tree and
// of the folder around it.
func (s *Scenario) Beside() []string {
	var all []string
	for _, t := range s.Turns {
		for _, step := range t.Steps {
			for i := range step {
				if p := path.Clean(step[i].Path); strings.HasPrefix(p, "../../") && !slices.Contains(all, p) {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// Furniture is the content of the files that the scenario puts into the tool's
// home, by their paths.
func (s *Scenario) Furniture() map[string]string { return contents(s.Home) }

func contents(files []File) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		all[f.Path] += f.content()
	}
	return all
}

func (f File) content() string {
	if f.Times == 0 {
		return f.Text
	}
	var b strings.Builder
	for n := range f.Times {
		b.WriteString(numbered(f.Text, n+1))
	}
	return b.String()
}

// numbered puts a number where "{0}", "{00}" … stand.
func numbered(text string, n int) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{0")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		zeros, after, _ := strings.Cut(rest, "}")
		digits := strconv.Itoa(n)
		b.WriteString(strings.Repeat("0", max(0, len(zeros)+1-len(digits))) + digits)
		text = after
	}
}
