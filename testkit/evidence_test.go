package testkit_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// shown is what transcripts of a tool have shown: the names of columns of the
// table of evidence.
type shown map[string]bool

// see notes what an event shows.
func (s shown) see(ev *core.Event) {
	e := trial.Event{Event: ev.Name(), ThreadID: ev.Thread}
	switch b := ev.Body.(type) {
	case *core.AssistantTurn:
		if b.Usage != nil {
			e.Body.Usage = &trial.Usage{}
		}
	case *core.FileEdit:
		e.Body.Diff = &trial.Diff{Unified: b.Diff.Unified}
	}
	s.read(&e)
}

// read does the same with an event that was written and read back.
func (s shown) read(e *trial.Event) {
	if e.ThreadID != "" {
		s["subagents"] = true
	}
	switch e.Event {
	case "user_turn", "assistant_turn", "tool_call":
		s["backfill"] = true
	case "compaction", "rewind":
		s[e.Event] = true
	}
	if e.Body.Usage != nil {
		s["usage"] = true
	}
	if d := e.Body.Diff; d != nil && d.Unified != "" {
		s["edits with diff"] = true
	}
}

// shownByRecordings is what the recordings show, by tool.
func shownByRecordings(t *testing.T, roots ...string) map[core.Tool]shown {
	all := map[core.Tool]shown{core.OTel: {}}
	for _, root := range roots {
		for _, s := range sessions(t, root) {
			if all[s.Tool] == nil {
				all[s.Tool] = shown{}
			}
			s.load(t)
			for _, e := range s.result.Events() {
				all[s.Tool].read(e)
			}
			for _, st := range s.result.Streams {
				if st.Input.Framing() == core.Lines && st.Input.At == nil {
					all[s.Tool]["live"] = true // every beginning of it was the transcript once
				}
			}
		}
		for tool, have := range all {
			for column, pattern := range map[string]string{
				"live":  string(tool) + "/*/*/snapshots",
				"hooks": "hooks/" + string(tool) + "/*/*",
				"OTLP":  "otlp/" + string(tool) + "/*/*",
			} {
				if found, _ := filepath.Glob(filepath.Join(root, pattern)); len(found) > 0 {
					have[column] = true
				}
			}
		}
	}
	for _, in := range telemetry(t) {
		for _, e := range whole(t, []trial.Input{in}).Events() {
			all[core.OTel].read(e)
		}
		all[core.OTel]["live"], all[core.OTel]["OTLP"] = true, true
	}
	return all
}

// claim is a row of the table of evidence.
type claim struct {
	name  string
	tools []core.Tool
	cells map[string]string // by column
}

// evidence lists the words of a cell that say how it is known. What follows a
// semicolon is said to people.
func (c *claim) evidence(column string) []string {
	words, _, _ := strings.Cut(c.cells[column], ";")
	return strings.Split(words, ", ")
}

func (c *claim) claims(column, word string) bool { return slices.Contains(c.evidence(column), word) }

// claimsIn reads the table of evidence of a page.
func claimsIn(t *testing.T, page string) (columns []string, rows []*claim) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case columns == nil && cells[0] == "tool" && slices.Contains(cells, "rewind"):
			columns = cells[1:]
		case columns == nil || cells[0] == "---":
		case !strings.HasPrefix(line, "|"):
			return columns, rows
		default:
			if len(cells) != len(columns)+1 {
				t.Fatalf("%s: %d cells in %s", page, len(cells), line)
			}
			c := &claim{cells: map[string]string{}}
			name, link, _ := strings.Cut(cells[0], "](")
			c.name = strings.TrimPrefix(name, "[")
			c.tools = toolsOfPage(strings.TrimSuffix(filepath.Base(strings.TrimSuffix(link, ")")), ".md"), c.name)
			for i, column := range columns {
				c.cells[column] = cells[i+1]
			}
			rows = append(rows, c)
		}
	}
	return columns, rows
}

// toolsOfPage names the tools whose page is called so.
func toolsOfPage(page, name string) []core.Tool {
	if page == "opencode" && name == "Kilo" {
		return []core.Tool{core.Kilo}
	}
	if page == "webchat" && name == "ChatGPT" {
		return []core.Tool{core.ChatGPT}
	}
	if page == "webchat" {
		return []core.Tool{core.ClaudeAI}
	}
	return []core.Tool{core.Tool(page)}
}

const (
	frontPage    = "../README.md"
	evidencePage = "../docs/adapters/README.md"
)

// TestEvidence holds the table that says how each feature of each tool is known to
// the recordings and the published sessions. "rec" stands where a recording shows
// it, and nowhere else; "wild" only where a published session does.
func TestEvidence(t *testing.T) {
	columns, rows := claimsIn(t, evidencePage)
	want := []string{"live", "backfill", "edits with diff", "subagents", "rewind", "compaction", "usage", "hooks", "OTLP"}
	if !slices.Equal(columns, want) {
		t.Fatalf("columns %q", columns)
	}
	var listed []core.Tool
	for _, row := range rows {
		listed = append(listed, row.tools...)
		for _, column := range columns {
			for _, word := range row.evidence(column) {
				if !slices.Contains([]string{"rec", "wild", "src", "doc", "hear", "–"}, word) {
					t.Errorf("%s, %s: %q is no evidence", row.name, column, word)
				}
			}
		}
	}
	for _, a := range adapters.All() {
		if !slices.Contains(listed, a.Tool()) {
			t.Errorf("%s is not in the table", a.Tool())
		}
	}
	complete := isThere(recorded()) && isThere(wild) && *elsewhere == "" && inFull()
	roots := []string{fixtures}
	if complete {
		roots = append(roots, recorded())
	}
	rec, found := shownByRecordings(t, roots...), map[core.Tool]*drift{}
	if complete {
		found = surveyed(t)
	}
	for _, row := range rows {
		for _, column := range columns {
			for _, problem := range row.check(column, rec, found, complete) {
				t.Errorf("%s, %s: %s", row.name, column, problem)
			}
		}
	}
}

// check compares what a cell claims with what was shown.
func (c *claim) check(column string, rec map[core.Tool]shown, found map[core.Tool]*drift, complete bool) (problems []string) {
	recorded, published := false, false
	for _, tool := range c.tools {
		recorded = recorded || rec[tool][column]
		published = published || found[tool] != nil && found[tool].shown[column]
	}
	switch claimed := c.claims(column, "rec"); {
	case recorded && !claimed:
		problems = append(problems, "recordings show it; the table does not say so")
	case claimed && !recorded && complete:
		problems = append(problems, "no recording shows it")
	}
	switch claimed := c.claims(column, "wild"); {
	case published && !claimed && !c.claims(column, "rec"):
		problems = append(problems, "published sessions show it; the table does not say so")
	case claimed && !published && complete:
		problems = append(problems, "no published session shows it")
	}
	return problems
}

func isThere(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}

// TestEvidenceOnFront: the front page has the same table, with the versions that
// were recorded: all of which the repository has recordings, and no others.
func TestEvidenceOnFront(t *testing.T) {
	columns, rows := claimsIn(t, evidencePage)
	front, onFront := claimsIn(t, frontPage)
	if !slices.Equal(append([]string{"recorded versions"}, columns...), front) {
		t.Fatalf("columns %q", front)
	}
	if len(rows) != len(onFront) {
		t.Fatalf("%d rows, and %d on the front page", len(rows), len(onFront))
	}
	for i, row := range rows {
		other := onFront[i]
		versions := other.cells["recorded versions"]
		delete(other.cells, "recorded versions")
		for column, cell := range other.cells {
			if words, _, _ := strings.Cut(row.cells[column], ";"); cell != words {
				t.Errorf("%s, %s: %q on the front page, %q", row.name, column, cell, words)
			}
		}
		for v := range strings.SplitSeq(versions, ", ") {
			if v != "–" && !wasRecorded(row.tools, v) {
				t.Errorf("%s: there is no recording of %s", row.name, v)
			}
		}
		for _, v := range fixedVersions(t, row.tools) {
			if !slices.Contains(strings.Split(versions, ", "), v) {
				t.Errorf("%s: %s was recorded; the front page does not say so", row.name, v)
			}
		}
	}
}

// fixedVersions lists the versions of which the repository has recordings.
func fixedVersions(t *testing.T, tools []core.Tool) (versions []string) {
	t.Helper()
	for _, tool := range tools {
		dirs, err := filepath.Glob(filepath.Join(fixtures, string(tool), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			versions = append(versions, filepath.Base(dir))
		}
	}
	return versions
}

// wasRecorded reports whether there are recordings of a version; it does not know
// where the shared ones are not there.
func wasRecorded(tools []core.Tool, version string) bool {
	for _, tool := range tools {
		if isThere(filepath.Join(fixtures, string(tool), version)) || isThere(filepath.Join(shared, string(tool), version)) {
			return true
		}
	}
	return !isThere(shared)
}

// String lists what was shown.
func (s shown) String() string { return fmt.Sprint(slices.Sorted(maps.Keys(s))) }
