package testkit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// lines is a tool whose records are lines of a letter and words, so that a fuzzer
// can write sessions:
//
//	u TEXT        a person says TEXT          a TEXT   the assistant does
//	c CALL        a call                      r CALL THREAD   its result; it started THREAD
//	e CALL PATH   an edit                     w SEQ    back to event SEQ
//	i TEXT        injected text               k TEXT   a compaction
//	t THREAD      what follows is of THREAD   m        what follows is of the main line
type lines struct{}

func (lines) Tool() core.Tool                            { return "lines" }
func (lines) Places() []core.Place                       { return nil }
func (lines) Detect(core.Sample) core.Fit                { return core.NoFit }
func (lines) NewParser(info core.StreamInfo) core.Parser { return &lineParser{session: info.Path} }

type lineParser struct {
	session, thread string
	ids             []string
	n               int
}

func (p *lineParser) Parse(r core.Record, emit func(*core.Event)) {
	words := strings.Fields(strings.ToValidUTF8(string(r.Bytes), "\uFFFD")) // the text of a turn is UTF-8
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	rest := core.Plain(strings.Join(words[min(1, len(words)):], " "))
	p.n++
	ev := &core.Event{Session: p.session, Thread: p.thread, ID: fmt.Sprintf("%s-%d", p.session, p.n), Time: core.Unix(int64(p.n))}
	switch word(0) {
	case "u":
		ev.Body = &core.UserTurn{Text: rest}
	case "i":
		ev.Body, ev.Injected = &core.UserTurn{Text: rest}, true
	case "a":
		ev.Body = &core.AssistantTurn{Text: rest, Model: "m"}
	case "c":
		ev.Body = &core.ToolCall{CallID: word(1), Name: "Edit"}
	case "r":
		ev.Body = &core.ToolResult{CallID: word(1), OK: true, Spawned: word(2)}
	case "e":
		path := "/w/" + word(2)
		ev.Body = &core.FileEdit{CallID: p.session + word(1), Tool: "Edit", Diff: core.Diff{
			Path: path, Change: core.Modify, Added: 1, Removed: 1, Unified: "--- a" + path + "\n+++ b" + path + "\n@@ -1 +1 @@\n-a\n+b\n",
		}}
	case "w":
		ev.Body = p.rewind(word(1))
	case "k":
		ev.Body = &core.Compaction{Summary: rest}
	case "t", "m":
		p.thread = word(1)
		ev.Body = &core.Unknown{RawType: word(0), Raw: core.RawBytes(r.Bytes), Bookkeeping: true}
	default:
		ev.Body = &core.Unknown{Raw: core.RawBytes(r.Bytes), Reason: "no such letter"}
	}
	p.ids = append(p.ids, ev.ID)
	emit(ev)
}

// rewind goes back to an event that was, as adapters do.
func (p *lineParser) rewind(seq string) core.Body {
	n, err := strconv.Atoi(seq)
	if err != nil || n < 0 || n >= len(p.ids) {
		return &core.Unknown{RawType: "w", Raw: core.RawString(seq)}
	}
	return &core.Rewind{ToEvent: p.ids[n], ToSeq: uint64(n)}
}

// FuzzFold folds any sessions, two at a time: the invariants hold, and neither
// the order nor the pieces in which the sessions come can be seen.
func FuzzFold(f *testing.F) {
	f.Add(uint64(1), []byte("u Let's use Postgres instead of MySQL.\na Ok.\nc 1\nr 1\ne 1 db.js\nu Never use left-pad.\ne 2 a.js\n"))
	f.Add(uint64(2), []byte("u We decided on Redis.\ne 1 a\nw 0\nu Use an LRU map, not Redis.\ne 2 a\n\x00u No.\nc 1\nr 1 t1\nt t1\ne 3 b\nm\n"))
	f.Add(uint64(3), []byte("a Shall I use pino?\nu yes, do that\nc 1\nr 1 x\nk sum\ni <system-reminder>\nt x\ne 1 a\nu no\nc 2\nr 2 y\nt y\ne 9 z\n"))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		one, two, _ := bytes.Cut(data, []byte{0})
		inputs := []trial.Input{
			{Adapter: lines{}, Path: "s1", Name: "1", Data: one},
			{Adapter: lines{}, Path: "s2", Name: "2", Data: two},
			{Adapter: lines{}, Path: "s1", Name: "3", Data: one[:len(one)/2]}, // a copy of a part
		}
		report(t, foldProblems(whole(t, inputs)))
		r := rand.New(rand.NewPCG(seed, 1))
		want := play(t, inputs, chunk.Whole(inputs))
		same(t, want, play(t, inputs, chunk.Random(inputs, r)), "one after another")
		same(t, want, play(t, inputs, chunk.Interleaved(inputs, r)), "in turns")
	})
}

// foldProblems leaves out what the copy of a session breaks by its making: that
// two transcripts give the same events.
func foldProblems(r *trial.Result) []string {
	var some []string
	for _, p := range invariant.Structure(r) {
		if !strings.Contains(p, "which is not superseded") {
			some = append(some, p)
		}
	}
	return some
}
