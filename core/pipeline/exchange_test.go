package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
)

// exchanges is a session whose decisions depend on the replies: one that the words
// show, one that only the reply and the edit show, one of two sentences, one that the
// reply casts doubt on, a question, an answer to a proposal.
func exchanges() []string {
	lines := []string{
		`{"e":"user","id":"u1","at":1,"t":"Let's use Postgres instead of MySQL for the orders service."}`,
		`{"e":"say","id":"a1","at":2,"t":"%s"}`,
		`{"e":"edit","c":"c1","at":3,"path":"src/db.js","lines":"-mysql\n+postgres\n"}`,
		`{"e":"user","id":"u2","at":4,"t":"hm, I'd keep the totals in whole cents"}`,
		`{"e":"say","id":"a2","at":5,"t":"%s"}`,
		`{"e":"edit","c":"c2","at":6,"path":"src/totals.js","lines":"-a\n+cents\n"}`,
		`{"e":"say","id":"a3","at":7,"t":"Done. Should I keep the old column for the reports, too?"}`,
		`{"e":"user","id":"u3","at":8,"t":"yes, keep it"}`,
		`{"e":"say","id":"a4","at":9,"t":"%s"}`,
		`{"e":"user","id":"u4","at":10,"t":"` + doubtful + `"}`,
		`{"e":"say","id":"a5","at":11,"t":"%s"}`,
		`{"e":"user","id":"u5","at":12,"t":"why is that so slow?"}`,
		`{"e":"say","id":"a6","at":13,"t":"%s"}`,
	}
	for i, reply := range []string{
		"I'll switch the orders service to Postgres. First the driver, then the queries.",
		"Understood. From now on the totals are kept in whole cents: I'll change them now.",
		"The old column stays. I'll leave the reports as they are.",
		doubt,
		"Because every order is read twice. Shall I read them once?",
	} {
		at := [...]int{1, 4, 8, 10, 12}[i]
		lines[at] = fmt.Sprintf(lines[at], reply)
	}
	return lines
}

const (
	// doubtful is a turn that is sent as a decision at once, and that a reply such as
	// doubt brings below the threshold.
	doubtful = "the form should validate on blur"
	doubt    = "API Error: usage limit reached"
)

// cutReplies are the lines of a session in which every reply comes in pieces of so many
// bytes, each as a record of its own.
func cutReplies(lines []string, size int) []string {
	var out []string
	for _, l := range lines {
		head, rest, found := strings.Cut(l, `"t":"`)
		if !found || !strings.HasPrefix(l, `{"e":"say"`) {
			out = append(out, l)
			continue
		}
		text := strings.TrimSuffix(rest, `"}`)
		for n := 0; text != ""; n++ {
			cut := min(size, len(text))
			piece := strings.Replace(head, `","at"`, fmt.Sprintf(`-%d","at"`, n), 1)
			out = append(out, piece+`"t":"`+text[:cut]+`"}`)
			text = text[cut:]
		}
	}
	return out
}

// TestEveryPrefix cuts the replies of a session into pieces of many sizes and reads it
// record by record: after each record, the nodes that were sent so far, the last of an
// id counting, are those of a replay of what was there by then.
func TestEveryPrefix(t *testing.T) {
	for _, size := range []int{1, 7, 20, 1000} {
		lines := cutReplies(exchanges(), size)
		step := max(1, len(lines)/40) // replays cost the square
		set, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
		watched, offset, sent := map[string]*core.Node{}, 0, 0
		for i, l := range lines {
			st.Line([]byte(l), int64(offset), int64(offset))
			offset += len(l) + 1
			for _, n := range set.Take() {
				watched[n.ID] = n
				sent++
			}
			if i%step != 0 && i != len(lines)-1 {
				continue
			}
			replayed := run(t, strings.Join(lines[:i+1], "\n")+"\n")
			if diff := cmp.Diff(texts(t, replayed), texts(t, watched)); diff != "" {
				t.Fatalf("pieces of %d bytes, after %s: replayed and watched differ:\n%s", size, l, diff)
			}
		}
		if sent <= len(watched) {
			t.Errorf("pieces of %d bytes: %d nodes sent for %d: none was sent again", size, sent, len(watched))
		}
	}
}

// texts are nodes as a sink writes them.
func texts(t *testing.T, nodes map[string]*core.Node) map[string]string {
	t.Helper()
	out, encoder := map[string]string{}, encode.Encoder{}
	for id, n := range nodes {
		text, err := encoder.Node(nil, n)
		if err != nil {
			t.Fatal(err)
		}
		out[id] = string(text)
	}
	return out
}

// TestPiecesCountTogether cuts the reply to a decision into pieces: its exchange is judged with them once the nodes
// are asked for, and no more often than they are.
func TestPiecesCountTogether(t *testing.T) {
	judged := 0
	set, err := pipeline.NewSet(pipeline.Options{Judged: func(string, decide.Input) { judged++ }})
	if err != nil {
		t.Fatal(err)
	}
	st, offset := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl"), int64(0)
	for _, l := range cutReplies(exchanges()[:2], 5) {
		st.Line([]byte(l), offset, offset)
		offset += int64(len(l)) + 1
	}
	if judged != 1 {
		t.Errorf("judged %d times before anybody asks, want once, when it is found", judged)
	}
	set.Take()
	if judged != 2 {
		t.Errorf("judged %d times, want once more with the whole reply", judged)
	}
	if nodes := set.Take(); judged != 2 || len(nodes) > 0 {
		t.Errorf("judged %d times, %d nodes, though nothing was added", judged, len(nodes))
	}
}

// TestFallsBelow has a reply bring a decision that was sent below the threshold: it
// stays, and is sent again with the score that it has now.
func TestFallsBelow(t *testing.T) {
	lines := exchanges()[9:11]
	score := func(lines ...string) int {
		for _, n := range run(t, strings.Join(lines, "\n")+"\n") {
			if d, ok := n.Body.(*core.Decision); ok {
				return d.Score
			}
		}
		return -1
	}
	if at := score(lines[0]); at < decide.Threshold {
		t.Fatalf("%q has %d, which is not sent at once", doubtful, at)
	}
	if now := score(lines...); now < 0 || now >= decide.Threshold {
		t.Errorf("with the reply the decision has %d, want one below %d", now, decide.Threshold)
	}
}
