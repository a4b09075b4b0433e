package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/modelserver"
	"github.com/memscribe/memscribe/testkit/script"
)

// truthFile is truth.json: what the script knows.
type truthFile struct {
	Tool       core.Tool `json:"tool"`
	Version    string    `json:"version"`
	Scenario   string    `json:"scenario"`
	Repo       string    `json:"repo"`
	BaseCommit string    `json:"base_commit"`
	Prompts    []prompt  `json:"prompts"`
	TurnStarts []string  `json:"turn_starts"`
	Edits      []edit    `json:"edits"`
	Calls      []call    `json:"tool_calls"`
	Unresolved []call    `json:"tool_calls_unresolved"`
	Failures   int       `json:"tool_failures"`
	Compacted  int       `json:"compactions"`
	Rewound    int       `json:"rewinds,omitempty"`
	Outside    []string  `json:"outside"`
	Runs       []process `json:"runs"`
	// Stores is what servers of tools keep in the end, by "server/file".
	Stores map[string]string `json:"stores,omitempty"`
}

type prompt struct {
	Text string `json:"text"`
}

type edit struct {
	Path     string      `json:"path"`
	Op       script.Kind `json:"op"`
	Tool     string      `json:"tool"`
	Turn     int         `json:"turn"`
	CallID   string      `json:"call_id"`
	Applied  bool        `json:"applied"`
	Changed  bool        `json:"file_changed"`
	Failed   bool        `json:"client_said_error"`
	Subagent bool        `json:"subagent"`
	Shell    bool        `json:"shell"`
	// After is what a shell command left of the file; nothing, if that is gone.
	After *string `json:"after,omitempty"`
	Gone  bool    `json:"gone,omitempty"`
}

type call struct {
	ID      string      `json:"id"`
	Tool    string      `json:"tool"`
	Op      script.Kind `json:"op"`
	Turn    int         `json:"turn"`
	IsError bool        `json:"is_error"`
	// Subagent says that one made the call.
	Subagent bool `json:"subagent,omitempty"`
}

// Changed is a file that calls of one step changed: what it was before the step,
// and what it was after. A file that is not there has no content.
type Changed struct {
	Path    string      `json:"path"`
	Op      script.Kind `json:"op"`
	CallIDs []string    `json:"call_ids"` // those that were to change it, in their order
	Shell   bool        `json:"shell"`    // a shell command did it
	Before  *string     `json:"before"`
	After   *string     `json:"after"`
}

// collect puts the recording together.
func (s *session) collect(ctx context.Context) error {
	log, err := s.server.Log()
	if err != nil {
		return err
	}
	if err = s.copyHome(filepath.Join(s.job.Out, "home")); err != nil {
		return err
	}
	if _, err = s.git(ctx, "add", "-A", "-N"); err != nil {
		return err
	}
	diff, err := s.git(ctx, "diff", "--binary", s.base)
	if err != nil {
		return err
	}
	if err = os.WriteFile(filepath.Join(s.job.Out, DiffFile), diff, 0o644); err != nil {
		return fmt.Errorf("write diff: %w", err)
	}
	truth := s.truth(&log)
	if truth.Stores, err = s.stores(); err != nil {
		return err
	}
	if err = writeJSON(filepath.Join(s.job.Out, TruthFile), truth); err != nil {
		return err
	}
	return writeJSON(filepath.Join(s.job.Out, StepsFile), changes(&log))
}

func writeJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err == nil {
		err = os.WriteFile(file, append(data, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(file), err)
	}
	return nil
}

func (s *session) truth(log *modelserver.Log) *truthFile {
	t := &truthFile{
		Tool: s.job.Tool, Version: s.job.Version, Scenario: s.job.Scenario, Repo: s.work, BaseCommit: s.base,
		Compacted: log.Compactions, Outside: log.Outside, Runs: s.runs,
		Edits: []edit{}, Calls: []call{}, Unresolved: []call{}, TurnStarts: []string{},
	}
	for _, run := range s.scenario.Runs {
		for _, op := range run.Ops {
			if op.Do == "rewind" {
				t.Rewound++
			}
		}
		for _, k := range run.Keys {
			if k.Do == script.Type && k.Text == "/undo" {
				t.Rewound++
			}
		}
		for _, turn := range run.Turns {
			t.Prompts = append(t.Prompts, prompt{cmp.Or(s.scenario.Turns[turn].Said, s.scenario.Turns[turn].Prompt)})
		}
	}
	for _, turn := range log.Starts {
		t.TurnStarts = append(t.TurnStarts, s.scenario.Turns[turn].Key)
	}
	for i := range log.Calls {
		t.add(&log.Calls[i])
	}
	return t
}

func (t *truthFile) add(c *modelserver.Call) {
	told := call{ID: c.ID, Tool: c.Tool, Op: c.Kind, Turn: c.Turn, IsError: c.Failed, Subagent: c.Subagent}
	if c.Answered {
		t.Calls = append(t.Calls, told)
	} else {
		t.Unresolved = append(t.Unresolved, told)
	}
	if c.Failed {
		t.Failures++
	}
	for _, path := range c.Paths {
		changed := c.Changed(path)
		e := edit{
			Path: path, Op: c.Kind, Tool: c.Tool, Turn: c.Turn, CallID: c.ID, Applied: changed && !c.Failed,
			Changed: changed, Failed: c.Failed, Subagent: c.Subagent, Shell: c.Shell,
		}
		if c.Shell {
			e.After = content(c.After, path)
			e.Gone = e.After == nil
		}
		t.Edits = append(t.Edits, e)
	}
}

// changes lists what really changed in the work tree, step by step.
func changes(log *modelserver.Log) []Changed {
	var all []Changed
	type place struct {
		turn, step int
		path       string
	}
	at := map[place]int{}
	for i := range log.Calls {
		c := &log.Calls[i]
		for _, path := range c.Paths {
			p := place{c.Turn, c.Step, path}
			n, met := at[p]
			if !met && !c.Changed(path) {
				continue
			}
			if !met {
				n = len(all)
				at[p] = n
				all = append(all, Changed{Path: path, Op: c.Kind, Shell: c.Shell, Before: content(c.Before, path), After: content(c.After, path)})
			}
			if !c.Failed {
				all[n].CallIDs = append(all[n].CallIDs, c.ID)
			}
		}
	}
	return all
}

func content(tree map[string]string, path string) *string {
	if text, ok := tree[path]; ok {
		return &text
	}
	return nil
}

// copyHome copies what is kept of the tool's home.
func (s *session) copyHome(dir string) error {
	for _, name := range s.client.kept() {
		from := filepath.Join(s.home, filepath.FromSlash(name))
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(from); err == nil && info.Mode().IsRegular() {
			if err := copyFile(from, to); err != nil {
				return fmt.Errorf("copy home: %w", err)
			}
			continue
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return fmt.Errorf("copy home: %w", err)
		}
		if err := os.CopyFS(to, regular{os.DirFS(from)}); err != nil {
			return fmt.Errorf("copy home: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// regular shows of a file system its folders and plain files.
type regular struct{ fs.FS }

// ReadDir implements [fs.ReadDirFS].
func (r regular) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(r.FS, name)
	var plain []fs.DirEntry
	for _, e := range all {
		if e.IsDir() || e.Type().IsRegular() {
			plain = append(plain, e)
		}
	}
	return plain, err
}
