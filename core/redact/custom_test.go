package redact_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

func TestCustomRules(t *testing.T) {
	e := engine(t, redact.Options{Rules: []redact.Rule{
		{ID: "badge", Pattern: `BADGE-\d{6}`},
		{ID: "ticket-pin", Type: "pin", Keywords: []string{"PIN"}, Pattern: `\bpin (\d{4})\b`},
		{ID: "before", Keywords: []string{"@corp"}, Pattern: `\w+@corp`},
		{ID: "drawn", Keywords: []string{"zz_"}, Pattern: `zz_\w+`, Entropy: 3},
	}})
	tests := []struct{ in, want string }{
		{"your BADGE-123456.", "your [REDACTED:badge]."},
		{"pin 1234 and pin 5678", "pin [REDACTED:pin] and pin [REDACTED:pin]"},
		{"ask alice@corp or bob@corp", "ask [REDACTED:before] or [REDACTED:before]"},
		{"zz_aaaaaaaaaaaa zz_a1b2c3d4e5f6", "zz_aaaaaaaaaaaa [REDACTED:drawn]"},
		{"BADGE-12", "BADGE-12"},
	}
	for _, tt := range tests {
		got, _, err := e.Scrub(core.TextField, []byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%q becomes %q (%v), want %q", tt.in, got, err, tt.want)
		}
		checkScrub(t, e, core.TextField, []byte(tt.in))
	}
}

func TestCustomErrors(t *testing.T) {
	tests := []struct {
		opts redact.Options
		want string
	}{
		{redact.Options{Rules: []redact.Rule{{Pattern: "abc"}}}, `rule "": it has no id`},
		{redact.Options{Rules: []redact.Rule{{ID: "open", Pattern: "abc("}}}, `rule "open": error parsing regexp: missing closing )`},
		{redact.Options{Rules: []redact.Rule{{ID: "all", Keywords: []string{"abc"}, Pattern: "x*"}}}, `rule "all": its pattern matches nothing at all`},
		{redact.Options{Rules: []redact.Rule{{ID: "wide", Pattern: `\d{16}`}}}, `rule "wide": it has no keywords`},
		{redact.Options{Rules: []redact.Rule{{ID: "short", Keywords: []string{"k"}, Pattern: `k\d+`}}}, `rule "short": keyword "k"`},
		{redact.Options{Allow: []redact.Allow{{ID: "nothing"}}}, `allowance "nothing": it names neither a rule nor a pattern`},
		{redact.Options{Allow: []redact.Allow{{ID: "open", Pattern: "["}}}, `allowance "open": error parsing regexp`},
	}
	for _, tt := range tests {
		if _, err := redact.New(tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

func TestAllow(t *testing.T) {
	in := "password = \"letmein-please\" secret: \"Zx8#kP2!vQ9m\""
	tests := []struct {
		name  string
		allow redact.Allow
		want  string
	}{
		{"value", redact.Allow{Pattern: "letmein-.*"}, "password = \"letmein-please\" secret: \"[REDACTED:secret]\""},
		{"rule", redact.Allow{Rule: "assigned-password"}, "password = \"letmein-please\" secret: \"[REDACTED:secret]\""},
		{"both", redact.Allow{Rule: "assigned-secret", Pattern: "letmein-.*"}, "password = \"[REDACTED:password]\" secret: \"[REDACTED:secret]\""},
		{"not whole", redact.Allow{Pattern: "letmein"}, "password = \"[REDACTED:password]\" secret: \"[REDACTED:secret]\""},
	}
	for _, tt := range tests {
		e := engine(t, redact.Options{Allow: []redact.Allow{tt.allow}})
		got, _, err := e.Scrub(core.TextField, []byte(in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q (%v), want %q", tt.name, got, err, tt.want)
		}
	}
}
