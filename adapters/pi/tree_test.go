package pi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

func TestTree(t *testing.T) {
	tests := []struct {
		name string
		s    *script
		want string
	}{
		{
			name: "a line",
			s:    header("").user("a").says("b").entry("label", obj{"targetId": "e1"}).user("c"),
			want: "user a\nsays b\nuser c\n",
		},
		{
			name: "another branch, with the summary of the one that was left",
			s: header("").user("a").says("b").user("c").says("d").from("e2").entry("branch_summary", obj{"fromId": "e4", "summary": "c and d"}).
				user("e"),
			want: "user a\nsays b\nuser c\nsays d\nrewind e2@2026-08-01T00:00:02.000Z 2\nput c and d\nuser e\n",
		},
		{
			name: "back to before the first prompt",
			s:    header("").user("a").says("b").from(nil).user("c"),
			want: "user a\nsays b\nrewind s 0\nuser c\n",
		},
		{
			name: "nothing was said since",
			s:    header("").user("a").says("b").entry("model_change", obj{"modelId": "n"}).from("e2").user("c"),
			want: "user a\nsays b\nuser c\n",
		},
		{
			name: "a parent that stands nowhere",
			s:    header("").user("a").says("b").from("nowhere").user("c"),
			want: "user a\nsays b\nuser c\n",
		},
		{
			name: "a compaction replaces what stands before the first entry that was kept",
			s: header("").user("a").says("b").user("c").says("d").entry("compaction", obj{"summary": "S", "firstKeptEntryId": "e3"}).user("e").
				entry("compaction", obj{"summary": "T", "retainedTail": []obj{}}),
			want: "user a\nsays b\nuser c\nsays d\ncompaction 0-2 S\nuser e\ncompaction 3-6 T\n",
		},
		{
			name: "what nobody typed",
			s: header("").entry("custom_message", obj{"customType": "x", "content": "context"}).
				message("bashExecution", obj{"command": "ls", "output": "a"}).message("hookMessage", obj{"content": "hook"}).
				message("compactionSummary", obj{"summary": "sum"}).entry("custom", obj{"data": obj{}}).
				message("system", obj{"content": "", "sections": obj{"preamble": "you are"}}).message("bird", obj{}).entry("song", obj{}),
			want: "put context\nput ls\nput hook\nput sum\nunknown message/bird\nunknown song\n",
		},
		{
			name: "a skill and files stand before what was typed",
			s: header("").user("<skill name=\"x\" location=\"/s\">\ntext\n</skill>\n\ndo it").
				user("<file name=\"/w/a\">\n1\n</file>\n<file name=\"/w/b\"></file>\nread them").user("<skill name=\"x\" location=\"/s\">\ntext\n</skill>").
				user("<skill name is not closed"),
			want: "user do it\nput <skill name=\"x\" location=\"/s\">\ntext\n</skill>\n" +
				"user read them\nput <file name=\"/w/a\">\n1\n</file>\n<file name=\"/w/b\"></file>\n" +
				"put <skill name=\"x\" location=\"/s\">\ntext\n</skill>\nuser <skill name is not closed\n",
		},
		{
			name: "thoughts and tokens",
			s: header("").message("assistant", obj{
				"content": []obj{{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}}, "model": "m",
				"usage": obj{"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4},
			}),
			want: "says yes thinks hm {Input:1 Output:2 CacheRead:3 CacheCreation:4 CacheCreation1h:0 Reasoning:0 Fast:false}\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.s.events(t)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFork marks what a fork copied: the entries older than the fork.
func TestFork(t *testing.T) {
	s := header("/x/2026_parent.jsonl")
	for range 12 {
		s.user("a")
	}
	copies := 0
	capture(t, "/x/2026_s.jsonl", []byte(strings.Join(s.lines, "\n")), func(ev *core.Event) {
		if ev.CopyOf == "" {
			return
		}
		copies++
		if ev.CopyOf != ev.ID {
			t.Errorf("copy of %s is %s", ev.CopyOf, ev.ID)
		}
	})
	if copies != 9 {
		t.Errorf("%d copies, want the 9 entries before the fork", copies)
	}
}
