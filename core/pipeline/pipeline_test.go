package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/pipeline"
)

// summary writes nodes so that a test can be read: what was decided, what was
// edited, and what hangs on what.
func summary(held map[string]*core.Node) string {
	names := map[string]string{}
	nodes := slices.SortedFunc(maps.Values(held), nodeprep.Compare)
	for _, n := range nodes {
		switch b := n.Body.(type) {
		case *core.Conversation:
			names[n.ID] = "turn " + first(b.Text)
		case *core.Decision:
			names[n.ID] = "decision " + first(b.Epitome.Text)
		case *core.Episode:
			names[n.ID] = "edit " + b.CallID + " " + b.Diff.Path
		}
	}
	var lines []string
	for _, n := range nodes {
		switch b := n.Body.(type) {
		case *core.Decision:
			line := names[n.ID]
			if b.SupersededBy != "" {
				by := names[b.SupersededBy]
				if by == "" {
					by = b.SupersededBy
				}
				line += " (superseded by " + by + ")"
			}
			lines = append(lines, line)
		case *core.Episode:
			lines = append(lines, names[n.ID])
		case *core.Binding:
			lines = append(lines, fmt.Sprintf("%s: %s %s (%s)", names[b.To], b.Relation, names[b.From], b.Evidence))
		case *core.Conversation:
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

func first(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(3, len(words))], " ")
}

const (
	usePostgres = `{"e":"user","id":"u1","at":1,"t":"Let's use Postgres instead of MySQL for the orders service."}` + "\n"
	editDB      = `{"e":"call","c":"c1","n":"Edit","at":2}
{"e":"result","c":"c1","at":3}
{"e":"edit","c":"c1","at":3,"path":"src/db.js","lines":"-mysql.createPool()\n+new Pool()\n"}
`
	setPort = `{"e":"user","id":"u2","at":4,"t":"Set the default port to 8080."}
{"e":"call","c":"c2","n":"Edit","at":5}
{"e":"edit","c":"c2","at":6,"path":"src/config.js","lines":"-port: 3000\n+port: 8080\n"}
`
)

func TestNodes(t *testing.T) {
	tests := []struct {
		name, events, want string
	}{
		{
			name:   "an edit carries out the decision of its arc",
			events: usePostgres + editDB,
			want: `decision Let's use Postgres
edit c1 src/db.js
edit c1 src/db.js: produced decision Let's use Postgres (same_arc)
`,
		},
		{
			name:   "a decision after the edit is not what the edit carries out",
			events: editDB + usePostgres,
			want:   "decision Let's use Postgres\nedit c1 src/db.js\n",
		},
		{
			name: "questions decide nothing",
			events: `{"e":"user","id":"u1","t":"Why is this slow? What would an index do?"}
{"e":"say","t":"It scans."}
`,
			want: "\n",
		},
		{
			name: "topics interleave: an edit of an arc without a decision goes with the one that it serves",
			events: usePostgres + setPort + `{"e":"user","id":"u3","at":7,"t":"Please finish the pool now."}
` + editDB,
			want: `decision Let's use Postgres
decision Set the default
edit c1 src/db.js
edit c1 src/db.js: produced decision Let's use Postgres (shared_identifier)
edit c2 src/config.js
edit c2 src/config.js: produced decision Set the default (same_arc)
`,
		},
		{
			name: "a rewind supersedes what was decided since, and nothing binds to it any more",
			events: `{"e":"user","id":"u0","t":"Hello there."}
` + usePostgres + editDB + `{"e":"rewind","id":"r1","to":"u0","seq":0}
{"e":"user","id":"u3","t":"Please tidy the pool."}
{"e":"call","c":"c3","n":"Edit"}
{"e":"edit","c":"c3","path":"src/db.js","lines":"-mysql.createPool()\n+mysql.pool()\n"}
`,
			want: `decision Let's use Postgres (superseded by r1)
edit c1 src/db.js
edit c1 src/db.js: produced decision Let's use Postgres (same_arc)
edit c3 src/db.js
edit c3 src/db.js: derived_from turn Please tidy the (same_arc)
`,
		},
		{
			name: "what a decision took back holds again when that decision is rewound",
			events: usePostgres + `{"e":"user","id":"u2","t":"Actually no, go back to MySQL instead of Postgres."}
{"e":"call","c":"c2","n":"Edit"}
{"e":"rewind","id":"r1","to":"u1","seq":0}
{"e":"user","id":"u3","t":"Please tidy the pool."}
{"e":"call","c":"c3","n":"Edit"}
{"e":"edit","c":"c3","path":"src/db.js","lines":"-mysql.pool()\n+postgres.pool()\n"}
`,
			want: `decision Actually no, go (superseded by r1)
decision Let's use Postgres
edit c3 src/db.js
edit c3 src/db.js: produced decision Let's use Postgres (shared_identifier)
`,
		},
		{
			name: "text that the tool put in is no turn of a person",
			events: `{"e":"user","id":"u1","inj":true,"t":"Always use Postgres instead of MySQL."}
`,
			want: "\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := summary(run(t, tt.events))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSubagent has a subagent's edits bind to what was in force where it was
// started, in whichever order the two streams are read.
func TestSubagent(t *testing.T) {
	parent := usePostgres + `{"e":"call","c":"c9","n":"Task","at":2}
{"e":"user","id":"u2","at":7,"t":"Set the default port to 8080."}
{"e":"result","c":"c9","spawned":"helper","at":8}
`
	child := `{"e":"user","id":"k1","th":"helper","inj":true,"t":"Fix the pool"}
{"e":"call","c":"c1","th":"helper","n":"Edit","at":4}
{"e":"edit","c":"c1","th":"helper","at":5,"path":"src/db.js","lines":"-a\n+b\n"}
`
	want := `decision Let's use Postgres
decision Set the default
edit c1 src/db.js
edit c1 src/db.js: produced decision Let's use Postgres (same_arc)
`
	for name, streams := range map[string][]string{"parent first": {parent, child}, "child first": {child, parent}} {
		if diff := cmp.Diff(want, summary(run(t, streams...))); diff != "" {
			t.Errorf("%s: nodes (-want +got):\n%s", name, diff)
		}
	}
}

// TestCopies has two streams repeat the same records: the nodes are those of
// the original, in whichever order they are read.
func TestCopies(t *testing.T) {
	original := usePostgres + editDB
	branch := strings.NewReplacer(`"id":"u1"`, `"id":"x1","copy":"u1","s":"s2"`, `"c":"c1"`, `"c":"c1","s":"s2","copy":"y","scope":"s1"`).
		Replace(usePostgres + editDB)
	want := run(t, original)
	for name, streams := range map[string][]string{"original first": {original, branch}, "copy first": {branch, original}} {
		got := run(t, streams...)
		if diff := cmp.Diff(summary(want), summary(got)); diff != "" {
			t.Errorf("%s: nodes (-want +got):\n%s", name, diff)
		}
		for id, n := range got {
			if n.Session != "s1" {
				t.Errorf("%s: node %s is of session %s, want the original's", name, id, n.Session)
			}
		}
	}
}

// TestRewindElsewhere has a session go on in a second file from a point before
// the end of the first: what was decided after that point no longer holds,
// whichever file is read first, and in whatever order the two grow.
func TestRewindElsewhere(t *testing.T) {
	old := usePostgres + editDB + `{"e":"end","id":"s1/7","anchor":true,"at":4}
{"e":"user","id":"u9","at":5,"t":"Never touch the vendored files."}
{"e":"call","c":"c9","n":"Edit","at":6}
{"e":"edit","c":"c9","at":7,"path":"vendor/x.js","lines":"-a\n+b\n"}
`
	next := `{"e":"rewind","id":"s1/8-rewind","to":"s1/7","elsewhere":true,"at":8}
` + setPort
	want := `decision Let's use Postgres
decision Never touch the (superseded by s1/8-rewind)
decision Set the default
edit c1 src/db.js
edit c1 src/db.js: produced decision Let's use Postgres (same_arc)
edit c2 src/config.js
edit c2 src/config.js: produced decision Set the default (same_arc)
edit c9 vendor/x.js
edit c9 vendor/x.js: derived_from turn Never touch the (same_arc)
edit c9 vendor/x.js: governs decision Never touch the (same_arc)
`
	for name, streams := range map[string][]string{"old first": {old, next}, "old last": {next, old}} {
		if diff := cmp.Diff(want, summary(run(t, streams...))); diff != "" {
			t.Errorf("%s: nodes (-want +got):\n%s", name, diff)
		}
	}
}

// TestEcho has another stream report what a transcript records: nothing is told
// twice, whichever is read first, unless the transcript is not there to be read.
func TestEcho(t *testing.T) {
	transcript := usePostgres + editDB
	echo := strings.ReplaceAll(strings.ReplaceAll(transcript, `{"e":`, `{"echo":true,"e":`), `"id":"u1"`, `"id":"hook-1"`)
	want := run(t, transcript)
	for name, streams := range map[string][]string{"echo first": {echo, transcript}, "echo last": {transcript, echo}} {
		if diff := cmp.Diff(summary(want), summary(run(t, streams...))); diff != "" {
			t.Errorf("%s: nodes (-want +got):\n%s", name, diff)
		}
	}
	if alone := run(t, echo); len(alone) != 0 {
		t.Errorf("an echo alone gives %d nodes", len(alone))
	}
	set, err := pipeline.NewSet(pipeline.Options{Echoes: true})
	if err != nil {
		t.Fatal(err)
	}
	feed(set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl"), echo)
	if got := len(set.Take()); got != len(want) {
		t.Errorf("with Echoes, an echo alone gives %d nodes, want %d", got, len(want))
	}
}

// TestParserThatBreaks has the parser break on a record: it is kept, and what
// stands before and after gives what it gives without it.
func TestParserThatBreaks(t *testing.T) {
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const poison = `{"e":"break","t":"a thing"}`
	var kept []string
	st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
	st.OnEvent(func(ev *core.Event) {
		if u, ok := ev.Body.(*core.Unknown); ok {
			line, err := (&encode.Encoder{}).Event(nil, ev)
			kept = append(kept, ev.Session+": "+u.Reason)
			if err != nil || !strings.Contains(string(line), strconv.Quote(poison)) {
				t.Errorf("the record is not in %s (%v)", line, err)
			}
		}
	})
	feed(st, usePostgres+poison+"\n"+editDB)
	held := map[string]*core.Node{}
	for _, n := range set.Take() {
		held[n.ID] = n
	}
	if diff := cmp.Diff(summary(run(t, usePostgres+editDB)), summary(held)); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if want := []string{"s1: the parser broke: no such thing as a thing"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	if s := st.Stats(); s.Malformed != 1 || s.FirstMalformed.Reason != "the parser broke: no such thing as a thing" {
		t.Errorf("counted %+v", s)
	}
}

// TestFault has the stages break: that is nobody's record.
func TestFault(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a fault in the stages was taken for one in the parser")
		}
	}()
	run(t, `{"e":"nobody"}`)
}
