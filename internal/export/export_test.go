package export_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/export"
)

const hostile = "=cmd|'/c calc'!A1 <script>alert(1)</script> \x1b[2J\u202e<!-- "

func answer() *export.Answer {
	return &export.Answer{Project: hostile, Decisions: []decisions.Decision{{
		ID: "decision:0123456789abcdef", Title: hostile, Epitome: hostile + "\n# head", Options: []decisions.Option{{Text: hostile, Chosen: true}},
		Confirmation: hostile, Source: hostile, SessionID: hostile, Project: "/w", Edits: []decisions.Edit{{Path: "/w/" + hostile}, {Path: "/else"}},
	}}}
}

// TestHostileWords has words that would act in a browser, a spreadsheet, Markdown or a
// terminal.
func TestHostileWords(t *testing.T) {
	var html, table strings.Builder
	if err := answer().WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	if s := html.String(); strings.Contains(s, "<script") || strings.Contains(s, "<!-- ") || !strings.Contains(s, "&lt;script&gt;") {
		t.Errorf("the page is not escaped: %s", s)
	}
	if err := answer().WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, cell := range rows[1] {
		if strings.HasPrefix(cell, "=") {
			t.Errorf("a formula: %q", cell)
		}
	}
	dir := t.TempDir()
	if _, err := answer().WriteRecords(dir); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.md"))
	if len(names) != 1 || filepath.Base(names[0]) != "cmd-c-calc-a1-script-alert-1-script-2j-0123456789ab.md" {
		t.Fatalf("files %q", names)
	}
	record, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if s := string(record); strings.Count(s, "<") != 1 || strings.Contains(s, "\x1b") || strings.Contains(s, "\u202e") || strings.Contains(s, "\n# head") {
		t.Errorf("the record is not escaped: %s", s)
	}
}
