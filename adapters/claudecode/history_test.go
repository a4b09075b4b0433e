package claudecode_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// history is what the records of a run say files held, read without the adapter.
type history struct {
	shown []shown
	order []string // calls, by when they ended
	shell bool     // a shell command changed files
}

// shown is a text that a file had when a call ended.
type shown struct {
	time, call, path, text string
	before                 bool // the text is that before the call
}

type rawRecord struct {
	Timestamp string
	Message   struct{ Content json.RawMessage }
	Result    json.RawMessage `json:"toolUseResult"`
}

type rawBlock struct {
	Type  string
	ID    string
	UseID string `json:"tool_use_id"`
	Input struct {
		FilePath string `json:"file_path"`
		Command  string
	}
	Content json.RawMessage
}

type rawResult struct {
	OriginalFile         *string
	OriginalFileContents *string
	OriginalNotebook     *string `json:"original_file"`
	FilePath             string
	File                 struct {
		FilePath string
		Content  *string
	}
}

func readHistory(t *testing.T, dir string) *history {
	h := &history{}
	for _, file := range jsonlFiles(t, filepath.Join(dir, "home")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		paths := map[string]string{}
		for line := range strings.Lines(string(data)) {
			var r rawRecord
			if json.Unmarshal([]byte(line), &r) == nil {
				h.record(&r, paths)
			}
		}
	}
	slices.SortStableFunc(h.shown, func(a, b shown) int { return strings.Compare(a.time, b.time) })
	for _, s := range h.shown {
		if s.path == "" {
			h.order = append(h.order, s.call)
		}
	}
	return h
}

var number = regexp.MustCompile(`(?m)^ *\d+[→\t]`)

func (h *history) record(r *rawRecord, paths map[string]string) {
	var blocks []rawBlock
	if json.Unmarshal(r.Message.Content, &blocks) != nil {
		return
	}
	for _, b := range blocks {
		if b.Type == "tool_use" {
			paths[b.ID] = b.Input.FilePath
			h.shell = h.shell || strings.Contains(b.Input.Command, "sed -i") || strings.Contains(b.Input.Command, "git mv")
		}
		if b.Type != "tool_result" {
			continue
		}
		var res rawResult
		_ = json.Unmarshal(r.Result, &res) // a string when the call failed
		s := shown{time: r.Timestamp, call: b.UseID, path: res.FilePath, before: true}
		h.shown = append(h.shown, shown{time: r.Timestamp, call: b.UseID})
		for _, text := range []*string{res.OriginalFile, res.OriginalFileContents, res.OriginalNotebook} {
			if text != nil {
				s.text = *text
				h.shown = append(h.shown, s)
			}
		}
		var text string
		switch {
		case res.File.Content != nil:
			h.shown = append(h.shown, shown{time: r.Timestamp, call: b.UseID, path: res.File.FilePath, text: *res.File.Content})
		case json.Unmarshal(b.Content, &text) == nil && number.MatchString(text) && paths[b.UseID] != "":
			text, _, _ = strings.Cut(text, "\n\n<system-reminder>")
			h.shown = append(h.shown, shown{time: r.Timestamp, call: b.UseID, path: paths[b.UseID], text: number.ReplaceAllString(text, "")})
		}
	}
}

// before is the text that a file had before a call: the recorded one, or the
// last that was shown until then.
func (h *history) before(call, path string) (string, bool) {
	text, ok := "", false
	for _, s := range h.shown {
		if s.call == call && s.before {
			return s.text, true
		}
	}
	for _, s := range h.shown {
		if s.call == call {
			break
		}
		if s.path == path {
			text, ok = s.text, true
		}
	}
	return text, ok
}

// set notes what a file held after a call.
func (h *history) set(call, path, text string) {
	for i := range h.shown {
		if h.shown[i].call == call && h.shown[i].path == "" {
			h.shown[i] = shown{call: call, path: path, text: text}
			return
		}
	}
}
