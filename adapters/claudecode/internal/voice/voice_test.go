package voice_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/voice"
)

// TestOf judges texts as they are written in JSON.
func TestOf(t *testing.T) {
	for body, want := range map[string]voice.Voice{
		`Use Postgres.`:                        voice.Person,
		``:                                     voice.Person,
		`  \n `:                                voice.Person,
		`<b>bold</b>`:                          voice.Person,
		`<systemd> is broken`:                  voice.Person,
		`!`:                                    voice.Person,
		`!!!`:                                  voice.Person,
		`!ls\nand then`:                        voice.Person,
		`[Requested by Ann] do it`:             voice.Person,
		`This session was good`:                voice.Person,
		`\n <task-notification>\nx`:            voice.Command,
		`<command-name>/x</command-name>`:      voice.Command,
		`<command-message>x</command-message>`: voice.Prompting,
		`!git status`:                          voice.Command,
		`! git status`:                         voice.Command,
		`<bash-stdout>x</bash-stdout>`:         voice.Client,
		`[Request interrupted by user]`:        voice.Client,
		`Base directory for this skill: /x`:    voice.Client,
		`<system-reminder>x</system-reminder>`: voice.Mixed,
		`\n\n<pasted_content id=\"84fa\">\na\n</pasted_content id=\"84fa\">\n`:                  voice.Mixed,
		`Read \n\n<pasted_content id=\"84fa\">\na\n</pasted_content id=\"84fa\">\n`:             voice.Mixed,
		`Yes.\n\n<system-reminder>\nx\n</system-reminder>\n`:                                    voice.Mixed,
		`This session is being continued from a previous conversation that ran out of context.`: voice.Summary,
	} {
		if got := voice.Of([]byte(body)); got != want {
			t.Errorf("%s: got voice %d, want %d", body, got, want)
		}
	}
}

func TestUnmix(t *testing.T) {
	tests := []struct{ text, said, put string }{
		{"<system-reminder>a</system-reminder>", "", "<system-reminder>a</system-reminder>"},
		{"<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>\nYes.", "Yes.", "<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>"},
		{"Yes.\n<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>", "Yes.", "<system-reminder>b</system-reminder>\n<system-reminder>a</system-reminder>"},
		{"<user-memory-input>Use tabs.</user-memory-input>", "Use tabs.", ""},
		{"<ide_opened_file>a", "", "<ide_opened_file>a"},
		{"Yes.", "Yes.", ""},
		{"\n\n<pasted_content id=\"84fa\">\na\n\nb\n</pasted_content id=\"84fa\">\n", "a\n\nb", ""},
		{"This: \n\n<pasted_content id=\"1\">\na\n</pasted_content id=\"1\">\n\n and\n\n<pasted_content id=\"2\">\nb\n</pasted_content id=\"2\">\n", "This: a andb", ""},
		{"What does <pasted_content id= mean?", "What does <pasted_content id= mean?", ""},
		{"<pasted_content id=\"1\">\na\n</pasted_content id=\"2\">", "<pasted_content id=\"1\">\na\n</pasted_content id=\"2\">", ""},
		{"\n\n<pasted_content id=\"1\">\na\n</pasted_content id=\"1\">\n\n<system-reminder>r</system-reminder>", "a", "<system-reminder>r</system-reminder>"},
	}
	for _, tt := range tests {
		if said, put := voice.Unmix(tt.text); said != tt.said || put != tt.put {
			t.Errorf("%q: got %q and %q, want %q and %q", tt.text, said, put, tt.said, tt.put)
		}
	}
}

func TestIsPrompt(t *testing.T) {
	for body, want := range map[string]bool{
		`Go on.`: true, `/etc/hosts is wrong`: true, `/ is full`: true, `{"a":1}`: true,
		``: false, `/plan`: false, `/model opus`: false, `/gsd:progress now`: false, `{\"task_id\":\"b1\"}`: false, `<task-notification>x`: false,
	} {
		if got := voice.IsPrompt([]byte(body)); got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
}

// FuzzUnmix has no text lose words.
func FuzzUnmix(f *testing.F) {
	f.Add("<system-reminder>a</system-reminder> b <system-reminder>c</system-reminder>")
	f.Add("<ide_selection")
	f.Fuzz(func(t *testing.T, text string) {
		said, put := voice.Unmix(text)
		if !strings.Contains(text, said) {
			t.Errorf("%q is not in %q", said, text)
		}
		if said == "" && put == "" && strings.TrimSpace(text) != "" && !strings.Contains(text, "user-memory-input") {
			t.Errorf("nothing left of %q", text)
		}
		voice.Of([]byte(text))
		voice.IsPrompt([]byte(text))
	})
}
