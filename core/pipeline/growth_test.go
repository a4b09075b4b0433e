package pipeline_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// nowhere is a spill outside of memory: of what is put there it returns the size alone.
type nowhere struct{}

func (nowhere) Put(string) (int64, error) { return 0, nil }

func (nowhere) Get(_ int64, size int) (string, error) { return strings.Repeat("x", size), nil }

// TestGrowth bounds what stays in memory of a session for good: of each turn that
// decides something, with the edit that carries it out and their four nodes, less
// than two kilobytes, however long the turn.
func TestGrowth(t *testing.T) {
	const warm, turns, most = 300, 500, 2048
	set, err := pipeline.NewSet(pipeline.Options{Spill: nowhere{}})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
	filler := strings.Repeat("It is what the team said when we met. ", 60)
	turn := func(i int) {
		feed(st, fmt.Sprintf(`{"e":"user","id":"u%d","at":1,"t":"Let's use Postgres instead of MySQL for service %d. %s"}
{"e":"call","c":"c%d","n":"Edit","at":2}
{"e":"result","c":"c%d","at":3}
{"e":"edit","c":"c%d","at":3,"path":"src/f%d.js","lines":"-mysql\n+postgres\n"}
`, i, i, filler, i, i, i, i))
		set.Take()
	}
	for i := range warm {
		turn(i)
	}
	before := live()
	for i := range turns {
		turn(warm + i)
	}
	grown := int64(live()-before) / turns
	t.Logf("%d bytes a turn of %d", grown, len(filler))
	if grown > most {
		t.Errorf("a turn leaves %d bytes in memory, %d at most should stay", grown, most)
	}
	runtime.KeepAlive(st)
}

// TestGrowthOfLines bounds what stays in memory of a line that nobody works on any
// more: a session that was gone on from in the same file, a subagent that is done.
// Each made calls and said more than is kept of it.
func TestGrowthOfLines(t *testing.T) {
	const warm, lines, most = 160, 200, 2048
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
	words := strings.Repeat("I looked at all of it. ", 2000)
	line := func(i int) {
		for _, where := range []string{fmt.Sprintf(`"s":"main-%d"`, i), fmt.Sprintf(`"th":"agent-%d"`, i)} {
			for c := range 20 {
				feed(st, fmt.Sprintf(`{"e":"call",%s,"c":"call-%d-%d","n":"Bash"}`+"\n", where, i, c))
			}
			feed(st, fmt.Sprintf(`{"e":"say",%s,"t":"%s"}`+"\n", where, words))
		}
		set.Take()
	}
	for i := range warm {
		line(i)
	}
	before := live()
	for i := range lines {
		line(warm + i)
	}
	grown := (int64(live()) - int64(before)) / lines
	t.Logf("%d bytes for two lines of %d", grown, len(words))
	if grown > most {
		t.Errorf("two lines leave %d bytes in memory, %d at most should stay", grown, most)
	}
	runtime.KeepAlive(st)
}

// live is how many bytes are in use.
func live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestClosed bounds what stays in memory of a transcript that is closed and has no
// more to say: less than a kilobyte and the claims of its nodes, however much it was.
func TestClosed(t *testing.T) {
	const warm, streams, most = 200, 1000, 1024
	set, err := pipeline.NewSet(pipeline.Options{Spill: nowhere{}})
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Repeat("I looked at all of it. ", 500)
	session := func(i int) {
		st := set.Open(script{}, core.StreamInfo{}, fmt.Sprintf("/t/%d.jsonl", i))
		feed(st, fmt.Sprintf(`{"e":"user","s":"%d","id":"u%d","at":1,"t":"Let's use Postgres instead of MySQL for service %d."}
{"e":"say","s":"%d","t":"%s"}
{"e":"call","s":"%d","c":"c%d","n":"Edit","at":2}
{"e":"result","s":"%d","c":"c%d","at":3}
{"e":"edit","s":"%d","c":"c%d","at":3,"path":"src/f.js","lines":"-mysql\n+postgres\n"}
`, i, i, i, i, words, i, i, i, i, i, i))
		st.Close()
		if n := len(set.Take()); n != 4 {
			t.Fatalf("%d nodes, want 4", n)
		}
	}
	for i := range warm {
		session(i)
	}
	before := live()
	for i := range streams {
		session(warm + i)
	}
	grown := (int64(live()) - int64(before)) / streams
	t.Logf("%d bytes a session", grown)
	if grown > most {
		t.Errorf("a session leaves %d bytes in memory, %d at most should stay", grown, most)
	}
	runtime.KeepAlive(set)
}
