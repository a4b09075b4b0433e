package capture_test

import (
	"io"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/spill"
)

// witness is a tool with a second store: its records are turns, {"say":"…",
// "session":"…"}, and notes, {"note":"…"}, which are echoes in the files that are
// named so.
type witness struct{ script }

func (witness) NewParser(i core.StreamInfo) core.Parser {
	return retold{echo: strings.Contains(i.Path, "store")}
}

type retold struct{ echo bool }

func (p retold) Parse(r core.Record, emit func(*core.Event)) {
	v := r.Doc.Root()
	ev := &core.Event{Session: v.Get("session").Str(), Echo: p.echo, Body: &core.Unknown{RawType: "note", Bookkeeping: true, Raw: core.RawValue(v)}}
	if text := v.Get("say").Str(); text != "" {
		ev.Body = &core.UserTurn{Text: core.Plain(text)}
	}
	emit(ev)
}

// TestEchoesWait has a second store tell of two sessions, of which one has its own
// transcript: what that tells is written once, whichever is read first, and all
// that the store alone knows of is written, to the last record.
func TestEchoesWait(t *testing.T) {
	files := map[string]string{
		"store": `{"note":"1","session":"own"}` + "\n" + `{"say":"hello","session":"own"}` + "\n" +
			`{"note":"2","session":"gone"}` + "\n" + `{"say":"still here","session":"gone"}` + "\n",
		"own":  `{"note":"3","session":"own"}` + "\n" + `{"say":"hello","session":"own"}` + "\n",
		"list": `{"note":"4","session":"gone"}` + "\n",
	}
	for _, order := range []string{"store own list", "list own store"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			echoes, err := spill.New()
			if err != nil {
				t.Fatal(err)
			}
			defer echoes.Close()
			r := newRig(t, func(r *rig, o *capture.Options) { o.Events, o.Sink, o.Echoes = &r.events, nil, echoes })
			for file := range strings.FieldsSeq(order) {
				s := r.Open(capture.Transcript{Adapter: witness{}, Info: core.StreamInfo{Path: file}, File: file})
				if err := s.Read(t.Context(), strings.NewReader(files[file])); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := r.events.String()
			for text, want := range map[string]int{
				`"text":"hello"`: 1, `"text":"still here"`: 1, `"note":"1"`: 0, `"note":"2"`: 1, `"note":"3"`: 1, `"note":"4"`: 1, `"echo":true`: 2, "\n": 5,
			} {
				if n := strings.Count(got, text); n != want {
					t.Errorf("%q stands there %d times, want %d:\n%s", text, n, want, got)
				}
			}
			if n := len(r.events.Bytes()); n == 0 || r.Settle(t.Context()) != nil || r.events.Len() != n {
				t.Errorf("settled again, it writes again: %d bytes after %d", r.events.Len(), n)
			}
		})
	}
}

// TestEchoesThatCannotBeKept: what cannot be put aside is not passed over.
func TestEchoesThatCannotBeKept(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	t.Setenv("TMP", t.TempDir()+"/none")
	echoes, err := spill.New()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(r *rig, o *capture.Options) { o.Events, o.Sink, o.Echoes = io.Discard, nil, echoes })
	s := r.Open(capture.Transcript{Adapter: witness{}, Info: core.StreamInfo{Path: "store"}, File: "store"})
	said := `{"say":"` + strings.Repeat("much ", 30_000) + `","session":"s"}` + "\n"
	if err := s.Read(t.Context(), strings.NewReader(strings.Repeat(said, 4))); err == nil || !strings.HasPrefix(err.Error(), "keep events: create temporary file:") {
		t.Errorf("got %v", err)
	}
}
