package session_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/talks"
	"github.com/memscribe/memscribe/internal/session"
)

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]session.Place{
		"5e55": {"5e55", -1, ""}, "5e55:12": {"5e55", 12, ""}, "a:b:0": {"a:b", 0, ""}, "5e55:": {"5e55:", -1, ""}, "5e55:-1": {"5e55:-1", -1, ""},
		":3": {":3", -1, ""}, "": {"", -1, ""},
	} {
		if got := session.ParsePlace(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestAround keeps to the main line: an item of a subagent is not the place.
func TestAround(t *testing.T) {
	var talk talks.Talk
	for seq := range int64(40) {
		item := talks.Item{Kind: "user", Seq: seq}
		if seq == 20 {
			item.Thread = "agent-1"
		}
		talk.Items = append(talk.Items, item)
	}
	part, at := session.Around(talk, session.Place{Seq: 20})
	if len(part.Items) != 20 || part.Items[at].Seq != 19 || part.Items[0].Seq != 14 || !part.Cut {
		t.Errorf("%d items, %+v at %d, cut %v", len(part.Items), part.Items[at], at, part.Cut)
	}
	if part, at = session.Around(talk, session.Place{Seq: 0}); at != 0 || part.Items[0].Seq != 0 {
		t.Errorf("at the beginning: %d", at)
	}
	if part, at = session.Around(talk, session.Place{Seq: 39}); part.Items[at].Seq != 39 || part.Cut {
		t.Errorf("at the end: %+v, cut %v", part.Items[at], part.Cut)
	}
	talk.Items[20].ID, talk.Items[21].Seq = "episode:1", 20
	if part, at = session.Around(talk, session.Place{Seq: 20, Node: "episode:1"}); part.Items[at].ID != "episode:1" {
		t.Errorf("the node's place: %+v", part.Items[at])
	}
}

// TestResume gives no id to a command line that would be a flag or shell syntax.
func TestResume(t *testing.T) {
	for tool, want := range map[core.Tool]string{
		core.Codex: "codex resume 5e55-01", core.Pi: "pi --session 5e55-01", core.Amp: "amp threads continue 5e55-01",
	} {
		if got, err := session.Resume(talks.Talk{Session: "5e55-01", Source: tool}); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
	for _, talk := range []talks.Talk{
		{Session: "5e55-01", Source: core.Zed}, {Session: "--help", Source: core.Codex}, {Session: "a;rm", Source: core.Codex}, {Source: core.Codex},
	} {
		if got, err := session.Resume(talk); !errors.Is(err, session.ErrResume) {
			t.Errorf("%+v: %v, %v", talk, got, err)
		}
	}
}

// TestDocuments: what was said is never markup of the document around it.
func TestDocuments(t *testing.T) {
	talk := talks.Talk{Session: "s", Source: core.Codex, Project: "/w", Items: []talks.Item{
		{Kind: "user", Text: "# no heading\n<script>x</script>"},
		{Kind: "command", Text: "echo '```'"},
	}}
	var md, html strings.Builder
	if err := errors.Join(session.Markdown(&md, talk), session.HTML(&html, talk)); err != nil {
		t.Fatal(err)
	}
	if s := md.String(); strings.Contains(s, "\n# no") || !strings.Contains(s, "\n````sh\n") {
		t.Errorf("Markdown:\n%s", s)
	}
	if s := html.String(); strings.Contains(s, "<script") {
		t.Errorf("HTML:\n%s", s)
	}
}
