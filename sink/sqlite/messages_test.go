package sqlite_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/tokens"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// said makes the line of a message.
func said(m core.Message) sink.Line {
	m.Source = cmp.Or(m.Source, core.ClaudeCode)
	m.Kind = cmp.Or(m.Kind, core.Asked)
	var e encode.Encoder
	json, err := e.Message(nil, &m)
	if err != nil {
		panic(err)
	}
	return sink.Line{ID: m.ID, Kind: sink.Message, Source: m.Source, Session: m.Session, Thread: m.Thread, Seq: m.Seq, JSON: json}
}

func messageID(parts ...string) string { return core.NodeID("message", core.ClaudeCode, parts...) }

// message is a person's message of a session.
func message(session string, seq uint64, text string) sink.Line {
	return said(core.Message{
		ID: messageID(session, fmt.Sprint(seq)), Session: session, Seq: seq, Time: core.ParseTime("2026-07-01T10:00:00Z"),
		Project: &core.Project{Cwd: "/home/dev/work/orders"}, File: session + ".jsonl", Text: text,
	})
}

// saidSQL is everything about messages but the numbers, which follow the order of
// coming.
const saidSQL = `SELECT concat_ws('|', hex(id), session, source, thread, project, copied, file, seq, kind, size, hex(text))
	FROM messages JOIN talks USING (t) UNION ALL
	SELECT concat_ws('|', hex(id), session, project, ms, model, response, input, output, cache_read, cache_creation)
	FROM usage JOIN talks USING (t) UNION ALL
	SELECT concat_ws('|', session, source, thread, project, messages, first, last) FROM tally WHERE messages > 0 ORDER BY 1`

// talks are messages of sessions that repeat each other: forks say again what was
// said before them, in files that are read in any order, and more than once.
func talks() (lines []sink.Line) {
	for file := range 4 {
		for i := range 12 {
			session := fmt.Sprintf("s%d", file)
			m := core.Message{
				ID: messageID("m", fmt.Sprint(i)), Session: session, Seq: uint64(i), File: session + ".jsonl",
				Time: core.ParseTime("2026-07-01T10:00:00Z"), Project: &core.Project{Cwd: "/w"},
				Copied: file == 0 && i < 6, // the tool says it of some
				Text:   strings.Repeat(fmt.Sprintf("message %d. ", i), 1+i*3),
			}
			if i%3 == 1 {
				m.Kind, m.Model, m.Response = core.Said, "m", fmt.Sprintf("r%d", i)
				m.Usage = &core.Usage{Input: int64(i), Output: int64(10 * i)}
			}
			if i == 7 {
				m.Text = "" // tokens only
			}
			lines = append(lines, said(m))
		}
	}
	return lines
}

// TestMessagesInAnyOrder: whatever the order in which transcripts are read, in
// whatever batches and however often, the same messages stand. While only new nodes
// come, the table is not asked beforehand which messages it holds.
func TestMessagesInAnyOrder(t *testing.T) {
	t.Parallel()
	var want []string
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		lines := talks()
		if seed > 0 {
			rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			lines = append(lines, lines[:rng.IntN(len(lines))]...)
		}
		dir := t.TempDir()
		s := open(t, dir, sqlite.Options{Messages: true, Bulk: seed%2 == 1})
		nodes := sinktest.NewMaker(seed)
		for part := range slices.Chunk(lines, 1+rng.IntN(30)) {
			if seed%4 >= 2 {
				part = append(nodes.Take(1), part...)
			}
			apply(t, s, part...)
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := ask[string](t, dir, saidSQL)
		if want == nil {
			want = got
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("in another order (seed %d):\n%s", seed, diff)
		}
		if n := ask[int](t, dir, "SELECT count(*) FROM words_docsize WHERE id % 2 = 1"); n[0] != 11 {
			t.Errorf("seed %d: %d messages can be found, want 11", seed, n[0])
		}
		if found := find(t, dir, `"message 5"`); len(found.Hits) != 1 || found.Hits[0].Session != "s1" {
			t.Errorf("seed %d: found %+v", seed, found.Hits)
		}
	}
}

// TestMessagesAgain: a message that comes again changes not a byte; one that has
// grown takes the place of what it was, and the old words find nothing.
func TestMessagesAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Messages: true})
	apply(t, s, talks()...)
	before := read(t, file(dir)+"-wal")
	apply(t, s, talks()...)
	if after := read(t, file(dir)+"-wal"); string(before) != string(after) {
		t.Error("what came again was written again")
	}
	apply(t, s, message("s", 1, "half of a"), message("s", 1, "half of a sentence, and the rest"))
	apply(t, s, message("s", 1, "another sentence"))
	if found := find(t, dir, "half"); len(found.Hits) != 0 {
		t.Errorf("what was replaced is found: %+v", found.Hits)
	}
	if found := find(t, dir, "sentence"); len(found.Hits) != 1 {
		t.Errorf("found %+v", found.Hits)
	}
	if n := ask[int](t, dir, "SELECT sum(messages) FROM tally WHERE session = 's'"); n[0] != 1 {
		t.Errorf("the session counts %d messages", n[0])
	}
}

// TestMessagesLost: what a backfill that was broken off has left unindexed is found
// after the next flush.
func TestMessagesLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Messages: true, Bulk: true})
	apply(t, s, append(talks(), message("s", 1, strings.Repeat("a long zanzibar ", 60)))...)
	crashedAt := crashed(t, read(t, file(dir)), read(t, file(dir)+"-wal"))
	if n := len(find(t, crashedAt, "zanzibar").Hits); n != 0 {
		t.Fatalf("%d hits before there is an index", n)
	}
	if err := open(t, crashedAt, sqlite.Options{Messages: true}).Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := find(t, crashedAt, "zanzibar"); len(found.Hits) != 1 || found.Hits[0].Excerpt.Marked("[", "]") == "" {
		t.Errorf("found %+v", found.Hits)
	}
	if n := ask[int](t, crashedAt, "SELECT count(*) FROM unheard"); n[0] != 0 {
		t.Errorf("%d ranges wait", n[0])
	}
}

// TestMessagesMark: a sink that keeps messages does not know the mark of one that
// kept none, so that everything is read once more; nor is there one without a node.
func TestMessagesMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.NewMaker(1).Take(5)...)
	old := s.Mark()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, sqlite.Options{Messages: true})
	if s.Holds(old) {
		t.Error("it holds what never had messages")
	}
	apply(t, s, message("s", 1, "hello"))
	mark := s.Mark()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, messages := range []bool{true, false} {
		if !open(t, dir, sqlite.Options{Messages: messages}).Holds(mark) {
			t.Errorf("with messages %t it does not hold %q", messages, mark)
		}
	}
}

// TestPruneMessages: messages go with conversations, words and all, and do not come
// back.
func TestPruneMessages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Messages: true})
	var lines []sink.Line
	for i, word := range []string{"oldest", "newest"} {
		m := core.Message{
			ID: messageID(word), Session: word, Time: core.Unix(time.Date(2026, 1+time.Month(i), 1, 0, 0, 0, 0, time.UTC).Unix()),
			File: "f", Kind: core.Said, Text: word + strings.Repeat("z", 100), Usage: &core.Usage{Input: 5},
		}
		lines = append(lines, said(m))
	}
	apply(t, s, lines...)
	h := schema.Horizon{Conversations: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)}
	p, err := s.Prune(t.Context(), h)
	if err != nil || p.Messages != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := s.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	apply(t, s, lines...)
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages": 1, "SELECT count(*) FROM usage": 1, "SELECT count(*) FROM talks": 1,
		"SELECT count(*) FROM words_docsize": 1, "SELECT sum(messages) FROM tally": 1,
	} {
		if got := ask[int](t, dir, query); got[0] != want {
			t.Errorf("%s: %d, want %d", query, got[0], want)
		}
	}
	if len(find(t, dir, "oldest").Hits) != 0 || len(find(t, dir, "newest").Hits) != 1 {
		t.Error("what went is found, or what stays is not")
	}
	for _, name := range []string{file(dir), file(dir) + "-wal"} {
		if content, err := os.ReadFile(name); err == nil && strings.Contains(string(content), "oldestz") {
			t.Errorf("%s has what went", name)
		}
	}
}

func find(t *testing.T, dir, words string) nodedb.Found {
	t.Helper()
	return findIn(t, dir, words, nodedb.Finding{})
}

func findIn(t *testing.T, dir, words string, f nodedb.Finding) nodedb.Found {
	t.Helper()
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found, err := r.Find(t.Context(), search.Parse(words), f)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkSpent compares the table spent with the table usage, of which it is a copy.
func checkSpent(t *testing.T, dir string) {
	t.Helper()
	db := connect(t, file(dir), "")
	rows := func(read func(context.Context, schema.Querier, func(int64, *tokens.Row)) error) (all []string) {
		if err := read(t.Context(), db, func(talk int64, r *tokens.Row) {
			all = append(all, fmt.Sprintf("%d %x %s", talk, r.ID, fmt.Sprint(string(r.Model), *r)))
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	inPages := func(ctx context.Context, q schema.Querier, do func(int64, *tokens.Row)) error {
		next, err := tokens.ReadPage(ctx, q, []byte{}, 7, do)
		for err == nil && next != nil {
			next, err = tokens.ReadPage(ctx, q, next, 7, do)
		}
		return err
	}
	want := rows(tokens.ReadTable)
	if diff := gocmp.Diff(want, rows(tokens.ReadAll)); diff != "" {
		t.Errorf("(-usage +spent):\n%s", diff)
	}
	if diff := gocmp.Diff(want, rows(inPages)); diff != "" {
		t.Errorf("(-whole +in pages):\n%s", diff)
	}
}

// TestSpent: however usage comes, changes, and goes, spent has its rows; and it is filled
// where an older version has left it empty.
func TestSpent(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Messages: true})
	lines := talks()
	for i := range 300 { // more than a part holds
		lines = append(lines, said(core.Message{
			ID: messageID("long", fmt.Sprint(i)), Session: "long", Seq: uint64(i), File: "long.jsonl", Kind: core.Said,
			Time: core.UnixMilli(1_780_000_000_000 + int64(i)*1000), Project: &core.Project{Cwd: "/w"},
			Model: []string{"a", "b", ""}[i/7%3], Response: fmt.Sprint("r", i/2), Usage: &core.Usage{Input: int64(i), CacheRead: 1 << 40, Fast: i%5 == 0},
		}))
	}
	for range 4 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		for some := range slices.Chunk(lines, 1+rng.IntN(90)) {
			apply(t, s, some...)
		}
		checkSpent(t, dir)
	}
	changed := core.Message{
		ID: messageID("long", "7"), Session: "long", Seq: 7, File: "long.jsonl", Kind: core.Said, Model: "b", Usage: &core.Usage{Output: 5},
	}
	apply(t, s, said(changed))
	changed.Usage.Output++
	twice := said(changed)
	changed.Usage.Output++
	apply(t, s, twice, said(changed))
	checkSpent(t, dir)
	if _, err := s.Prune(t.Context(), schema.Horizon{Conversations: time.UnixMilli(1_780_000_000_000 + 50_500)}); err != nil {
		t.Fatal(err)
	}
	checkSpent(t, dir)
	if n := ask[int](t, dir, "SELECT count(*) FROM usage"); n[0] != 300-50+4 {
		t.Errorf("%d rows are left", n[0])
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, file(dir), "").ExecContext(t.Context(), "DELETE FROM spent"); err != nil {
		t.Fatal(err)
	}
	open(t, dir, sqlite.Options{})
	checkSpent(t, dir)
	if _, err := sqlite.Forget(t.Context(), file(dir), removal.Request{Session: "long"}); err != nil {
		t.Fatal(err)
	}
	checkSpent(t, dir)
	if n := ask[int](t, dir, "SELECT count(*) FROM spent WHERE t NOT IN (SELECT t FROM talks)"); n[0] != 0 {
		t.Errorf("%d parts are left of nothing", n[0])
	}
}
