package prose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core/prose"
)

func sentences(t prose.Turn) []string {
	var out []string
	for _, s := range t.Sentences {
		out = append(out, s.In(t.Text))
	}
	return out
}

func TestOf(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "Use Postgres. Drop MySQL!", []string{"Use Postgres.", "Drop MySQL!"}},
		{"fence", "look at this:\n```go\nuse(x)\n```\nmake it faster", []string{"look at this:", "make it faster"}},
		{"fence that never ends", "look:\n```\nnever touch this", []string{"look:"}},
		{"tilde fence", "a b\n~~~\nx\n~~~\nc d", []string{"a b", "c d"}},
		{"quoted lines", "> never use tabs\n> please\nI agree", []string{"I agree"}},
		{"diff", "apply this\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-never use this\n+always use that\n\nplease", []string{"apply this", "please"}},
		{
			"python trace", "it fails:\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    raise ValueError('must not be x')\nValueError: must not be x\n\nfix it please",
			[]string{"it fails:", "fix it please"},
		},
		{
			"javascript trace", "you broke it: ReferenceError: teamColors is not defined\n    at VM221 stats:416:55\n    at Array.map (<anonymous>)\n    at f (a.js:1:2)\n\nwhere is the switch?",
			[]string{"where is the switch?"},
		},
		{"log lines", "what is this?\n2026-02-13T08:45:11+01:00 [wingman] ERROR must never happen\n[11:35:44.030] [API] GET /x\nINFO: always on", []string{"what is this?"}},
		{"log in the midst of a line", "I got this [11:35:44.030] [API] GET /api/remediation/eeab8e50/progress you must", []string{"I got this"}},
		{"compiler message in the midst of a line", "fix cmd/info.go:1:9: var-naming: avoid package names that conflict", []string{"fix"}},
		{"value in the midst of a line", "adapt the format: {'columns': [{'title': 'Ranking', 'frozen': 'left'}, {'title': 'Team', 'field': 'team'}]} ok", []string{"adapt the format:"}},
		{"shell", "look at that:\nroot@ubuntu:/var/www# ls -l\ntotal 80\ndrwxr-xr-x 3 flaskuser www-data 4096 Jan 29 11:39 99_deprecated\n\nmake it readable", []string{"look at that:", "make it readable"}},
		{"prompt sign", "❯ git rebase main\nI think we should prevent this", []string{"I think we should prevent this"}},
		{"code", "rename it:\nconst x = () => { return foo(bar); }\nif (x) {\n  y();\n}\nthanks", []string{"rename it:", "thanks"}},
		{"table", "use this:\n| a | b |\n|---|---|\n| never | always |\nok?", []string{"use this:", "ok?"}},
		{"table out of a sheet", "use these hooks\nStage\tWhen\tUse\nBefore print\tnever\tAlways home\nplease", []string{"use these hooks", "please"}},
		{"diff with numbers", "shorten it\n + 8 - **User text**: always use the token\n + 9 - **Tools**: never\nplease", []string{"shorten it", "please"}},
		{"reminder", "do it<system-reminder>never do it\nalways</system-reminder> now", []string{"do it", "now"}},
		{"several elements in a line", "<command-name>/x</command-name><command-args>never</command-args>\nuse tabs", []string{"use tabs"}},
		{"unknown element over lines", "<notes>\nnever\n</notes>\nuse tabs", []string{"use tabs"}},
		{"placeholder is no element", "run git checkout <branch> and use it", []string{"run git checkout <branch> and use it"}},
		{"summary", "This session is being continued from a previous conversation that ran out of context. We decided X.", nil},
		{"a prompt that a library composes", "[[ ## user_query ## ]]\n\nAlways do Y.", nil},
		{"skill", "Base directory for this skill: /x\n\nAlways do Y.", nil},
		{"memory file", "# AGENTS.md instructions for /repo\n\nNever use tabs.", nil},
		{"editor's context", "# Context from my IDE setup:\n\n## Open tabs:\n- never.go\n\n## My request for Codex:\nuse tabs", []string{"use tabs"}},
		{"editor's template", "For the code present, we get this error:\n```\nx\n```\nHow can I resolve this? If you propose a fix, please make it concise.", nil},
		{
			"editor's plan", "Two zones\n\nImplement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nTo-do's from the plan have already been created. Do not create them again.",
			[]string{"Two zones", "Implement the plan as specified, it is attached for your reference."},
		},
		{"document with a request below", "# Style\n" + strings.Repeat("We always use this and that.\n", 50) + "## A\n- Never log\n## B\ntext\n\n\nfix it.", []string{"fix it."}},
		{"document above a blank of another script", "# A\n## B\n## C\n" + strings.Repeat("x\n", 600) + "\n\u3000", append([]string{"# A", "## B", "## C"}, slices.Repeat([]string{"x"}, 600)...)},
		{"document that is adopted below", "# Style\n## A\n## B\n" + strings.Repeat("Always. ", 160) + "\n\nimplement this", append([]string{"# Style", "## A", "## B"}, append(slices.Repeat([]string{"Always."}, 160), "implement this")...)},
		{"document", "Implement the following plan:\n\n# Plan\n" + strings.Repeat("We always use this and that.\n", 50) + "## A\ntext\n## B\ntext", []string{"Implement the following plan:"}},
		{"another agent's message", "⏺ I will never use this\n  ⎿ done\n\nplease undo that", []string{"please undo that"}},
		{"boxes", "╭────╮\n│ never │\n╰────╯\nok", []string{"ok"}},
		{
			"a long line without blanks", strings.Repeat("我们把价格改成整数，", 14) + "时间都用UTC。", []string{strings.Repeat("我们把价格改成整数，", 14) + "时间都用UTC。"},
		},
		{"a packed line", "look:\n" + strings.Repeat("a1b2c3d4e5", 30), []string{"look:"}},
		{"a place in a file that is asked for", "requirements.md:63 はどういう意味？", []string{"requirements.md:63 はどういう意味？"}},
		{
			"an element pointed at", "make this blue DOM Path: div#root > main.flex > button.primary\nPosition: top=47px, left=400px\nReact Component: Toolbar\nHTML Element: <button class=\"primary\">Save</button> and wider DOM Path: div#root > nav.side\nPosition: top=1px\nHTML Element: <nav>Menu</nav>\nnot there",
			[]string{"make this blue", "and wider", "not there"},
		},
		{"words like an element pointed at", "Position: top=47px for the menu\nReact Component: Toolbar stays", []string{"Position: top=47px for the menu", "React Component: Toolbar stays"}},
		{"a tool's prompt behind a subagent", "Perform any necessary follow-up actions in response to the subagent completion above. Never use X.", nil},
		{"crlf", "use tabs\r\nnot spaces\r\n", []string{"use tabs", "not spaces"}},
		{"empty", " \n\t\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sentences(prose.Of(tc.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"abbreviations", "Use X, e.g. Y, i.e. Z vs. W. Then stop.", []string{"Use X, e.g. Y, i.e. Z vs. W.", "Then stop."}},
		{"versions", "Bump to v1.5.0. Keep 2.0.", []string{"Bump to v1.5.0.", "Keep 2.0."}},
		{"file names", "Move a.b.go to core/x.go. Done.", []string{"Move a.b.go to core/x.go.", "Done."}},
		{"urls", "See https://example.org/a?b=c. Use it", []string{"See https://example.org/a?b=c.", "Use it"}},
		{"code spans", "Call `a. B()` first. Then `x`", []string{"Call `a. B()` first.", "Then `x`"}},
		{"quotes", `Say "No. Never!" there. Ok`, []string{`Say "No. Never!" there.`, "Ok"}},
		{"two dots go on", "keep it simple..just show the list", []string{"keep it simple..just show the list"}},
		{"ellipsis", "hmm... ok. Then... Now", []string{"hmm... ok.", "Then...", "Now"}},
		{"parent folder", "look at ../entire.io now. ok", []string{"look at ../entire.io now.", "ok"}},
		{"no blank behind a stop", "it is done.Then stop", []string{"it is done.", "Then stop"}},
		{"member is no stop", "call foo.Bar twice", []string{"call foo.Bar twice"}},
		{"numbers", "Use 1,000 or 1.5 px. It costs 3.50 now", []string{"Use 1,000 or 1.5 px.", "It costs 3.50 now"}},
		{"list", "Do:\n- use tabs\n- drop npm\n* and yarn", []string{"Do:", "use tabs", "drop npm", "and yarn"}},
		{"numbered list", "1. yes\n2) no tabs\n(3) ok", []string{"1. yes", "2) no tabs", "(3) ok"}},
		{"wrapped line", strings.Repeat("word ", 13) + "and\nthen go on", []string{strings.Repeat("word ", 13) + "and\nthen go on"}},
		{"chinese", "不要用 MySQL。改用 Postgres！好吗？", []string{"不要用 MySQL。", "改用 Postgres！", "好吗？"}},
		{"japanese", "UTCを使う。ローカル時刻は禁止。", []string{"UTCを使う。", "ローカル時刻は禁止。"}},
		{"spanish", "¿Por qué? Usa tabs.", []string{"¿Por qué?", "Usa tabs."}},
		{"closing bracket", "Use it (really.) Now", []string{"Use it (really.) Now"}},
		{"question in brackets", "Use it (ok?) now", []string{"Use it (ok?", ") now"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sentences(prose.Of(tc.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	names := map[prose.Kind]string{
		prose.Word: "word", prose.Number: "number", prose.Code: "code", prose.Path: "path", prose.Link: "link", prose.Quote: "quote",
		prose.Glyph: "glyph", prose.Mark: "mark",
	}
	for _, tc := range []struct{ text, want string }{
		{"don't stop", "word:don't word:stop"},
		{"built-in and/or", "word:built-in word:and mark:/ word:or"},
		{"use `a b` now", "word:use code:`a b` word:now"},
		{"getOrder find_order FOO_BAR", "code:getOrder code:find_order code:FOO_BAR"},
		{"URLs GitHub JSON", "word:URLs word:GitHub word:JSON"},
		{"README.md .env ~/.config", "code:README.md code:.env path:~/.config"},
		{"/healthz src/a.go a/b/c/d", "code:/healthz path:src/a.go path:a/b/c/d"},
		{"--dry-run -x @user #12", "code:--dry-run code:-x code:@user number:#12"},
		{"15 10% 17px 2.0 5/7 #b5bd68", "number:15 number:10% number:17px number:2.0 number:5/7 code:#b5bd68"},
		{`"two words" 'a b'`, `quote:"two words" quote:'a b'`},
		{"foo() std::vec a->b", "code:foo() code:std::vec code:a->b"},
		{"file(s) note:", "word:file mark:( word:s mark:) word:note mark::"},
		{"https://a.b/c?d=e, ok", "link:https://a.b/c?d=e mark:, word:ok"},
		{"a -> b <-- c", "word:a mark:-> word:b mark:<-- word:c"},
		{"用Go写", "glyph:用 word:Go glyph:写"},
	} {
		p := prose.Of(tc.text)
		var got []string
		for _, k := range p.Tokens {
			got = append(got, names[k.Kind]+":"+k.In(tc.text))
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q: %s", tc.text, diff)
		}
	}
}

func TestOffsets(t *testing.T) {
	text := "first\n```\ncode\n```\n- use `x` instead of y\n"
	p := prose.Of(text)
	last := p.Sentences[len(p.Sentences)-1]
	if got := text[last.Start:last.End]; got != "use `x` instead of y" || !last.Item {
		t.Errorf("last sentence is %q (item %v)", got, last.Item)
	}
	if want := len(text) - len("first") - len("- use `x` instead of y"); p.Pasted != want {
		t.Errorf("pasted %d bytes, want %d", p.Pasted, want)
	}
}

// TestLong shows that of a document the beginning and the end are read.
func TestLong(t *testing.T) {
	text := "Please read this.\n" + strings.Repeat("A sentence of a long document.\n", 2000) + "Use only the last part."
	p := prose.Of(text)
	own := 0
	for _, s := range p.Spans {
		own += s.End - s.Start
	}
	got := sentences(p)
	if own > prose.MaxOwn || got[0] != "Please read this." || got[len(got)-1] != "Use only the last part." {
		t.Errorf("read %d bytes, from %q to %q", own, got[0], got[len(got)-1])
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{
		"use tabs", "```\na\n```b", "<system-reminder>x</system-reminder>y", "a..b ... c.D 1.2.3 `x` \"y\" 'z", "- a\n- b", "不要。", "\x00\xff\n\r\n\t",
		"<a><b></a>", "[11:35:44.030] x", "> q\n", "a@b:c$ d", "(((((", "{'a': [", "1. 2) (3) a)",
		"# A\n## B\n## C\n" + strings.Repeat("We always use this.\n", 60) + "\nfix it.",
		"Look:\n# A\n## B\n## C\n" + strings.Repeat("We always use this.\n", 60) + "\n\u00a0\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := prose.Of(text)
		at := 0
		for _, s := range p.Spans {
			if s.Start < at || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v after %d", s, at)
			}
			at = s.End
		}
		check(t, p)
		check(t, prose.Plain(text))
	})
}

// check reports tokens and sentences that overlap, leave the text, or do not
// fit each other.
func check(t *testing.T, p prose.Turn) {
	t.Helper()
	at := 0
	for _, k := range p.Tokens {
		if k.Start < at || k.End <= k.Start || k.End > len(p.Text) {
			t.Fatalf("token %v after %d", k.Span, at)
		}
		at = k.End
	}
	token := 0
	for _, s := range p.Sentences {
		if s.First < token || s.Last <= s.First || s.Last > len(p.Tokens) {
			t.Fatalf("sentence of tokens %d to %d after %d", s.First, s.Last, token)
		}
		if s.Start != p.Tokens[s.First].Start || s.End != p.Tokens[s.Last-1].End {
			t.Fatalf("sentence %v does not fit its tokens", s.Span)
		}
		token = s.Last
	}
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"prose": strings.Repeat("Let's use Postgres instead of MySQL for the orders service, with a pool of 25. ", 80),
		"paste": "look:\n" + strings.Repeat("2026-02-13T08:45:11+01:00 [wingman] calling claude CLI (model=sonnet, timeout=5m0s)\n", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				prose.Of(text)
			}
		})
	}
}

// TestForeignFileName shows that a sentence is not cut inside the name of a file
// that is written in another script.
func TestForeignFileName(t *testing.T) {
	p := prose.Of("Also docs/日本語.md should say Postgres. 完了。")
	if got := p.Sentences[0].In(p.Text); got != "Also docs/日本語.md should say Postgres." {
		t.Errorf("sentence %q", got)
	}
}
