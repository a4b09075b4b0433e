package claudecode_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// TestLineEnds: the client records every file as if its lines ended with "\n"
// (recorded 2.1.330); what was written shows how they do, and in 1.0 and 2.0 what is
// written over, too (recorded 1.0.128, 2.0.77).
func TestLineEnds(t *testing.T) {
	n := 0
	id := func() string {
		n++
		return fmt.Sprintf("toolu_%013d", n)
	}
	write := func(s *session, content, original string) {
		id := id()
		s.add(calls(id, "Write", `{"file_path":"`+path+`","content":`+quoted(content)+`}`)).
			add(answers(id, `"ok"`, `,"toolUseResult":{"type":"update","filePath":"`+path+`","content":`+quoted(content)+`,"structuredPatch":[],"originalFile":`+quoted(original)+`}`))
	}
	over := func(s *session, content, more string) {
		id := id()
		s.add(calls(id, "Write", `{"file_path":"`+path+`","content":`+quoted(content)+`}`)).
			add(answers(id, `"updated"`, `,"toolUseResult":{"type":"update","filePath":"`+path+`","content":`+quoted(content)+more+`}`))
	}
	change := func(s *session, from, to, more string) {
		id := id()
		s.add(calls(id, "Edit", `{"file_path":"`+path+`","old_string":`+quoted(from)+`,"new_string":`+quoted(to)+`}`)).
			add(answers(id, `"ok"`, more))
	}
	for name, tc := range map[string]struct {
		play func(s *session)
		want []string // the file after each edit
	}{
		"edited": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			change(s, "b\n", "c\nd\n", structured("b\n", "c\nd\n", quoted("a\nb\n"), "[]"))
			write(s, "x\r\ny\r\n", "a\nc\nd\n")
		}, []string{"a\r\nb\r\n", "a\r\nc\r\nd\r\n", "x\r\ny\r\n"}},
		"no structured result": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			change(s, "b\n", "c\n", "")
		}, []string{"a\r\nb\r\n", "a\r\nc\r\n"}},
		"read meanwhile": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			for _, r := range read(numberedText("a\nb\n", 1, "\t"), "") {
				s.add(r)
			}
			change(s, "b\n", "c\n", "")
		}, []string{"a\r\nb\r\n", "a\r\nc\r\n"}},
		"most lines decide": {func(s *session) {
			write(s, "a\r\nb\nc\r\n", "")
			change(s, "c", "d", structured("c", "d", quoted("a\nb\nc\n"), "[]"))
		}, []string{"a\r\nb\nc\r\n", "a\r\nb\r\nd\r\n"}},
		"written over in 2.0": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			over(s, "c\nd\n", `,"structuredPatch":[],"originalFile":`+quoted("a\r\nb\r\n"))
			change(s, "d", "e", structured("d", "e", quoted("c\nd\n"), "[]"))
			over(s, "c\r\n", `,"structuredPatch":[],"originalFile":`+quoted("c\r\ne\r\n"))
			change(s, "c", "f", structured("c", "f", quoted("c\r\n"), "[]"))
		}, []string{"a\r\nb\r\n", "c\r\nd\r\n", "c\r\ne\r\n", "c\r\r\n", "f\r\r\n"}},
		"read, and written over in 1.0": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			for _, r := range read(numberedText("a\nb\n", 1, "→"), "") {
				s.add(r)
			}
			over(s, "c\nb\n", `,"structuredPatch":`+patch("a\r\nb\r\n", "c\nb\n"))
		}, []string{"a\r\nb\r\n", "c\r\nb\r\n"}},
		"changed by others": {func(s *session) {
			write(s, "a\r\nb\r\n", "")
			change(s, "c", "d", structured("c", "d", quoted("a\nb\nc\n"), "[]"))
		}, []string{"a\r\nb\r\n", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			s := new(session).add(user("One."))
			tc.play(s)
			diffs, text := s.diffs(t), ""
			if len(diffs) != len(tc.want) {
				t.Fatalf("got %d edits, want %d", len(diffs), len(tc.want))
			}
			for i, want := range tc.want {
				got, err := edit.Apply(text, diffs[i].Unified)
				if want == "" && err != nil {
					continue // the file is not what it was
				}
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("file after edit %d (-want +got), %v:\n%s\n%s", i, err, diff, diffs[i].Unified)
				}
				text = got
			}
		})
	}
}
