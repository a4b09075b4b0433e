package nodedb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Hit is something that a search has found: a message, a conversation, a decision
// or an edit.
type Hit struct {
	Kind            string // user, assistant, command, conversation, decision, episode
	ID              string // of a node; "" of a message
	Source          core.Tool
	Session, Thread string
	Seq             int64
	Timestamp       string // "" if it has none
	Project         string
	ByPerson        bool
	IsBan           bool
	Path            string        // of an edit
	Title           string        // of a decision: what it says by itself
	Mark            annotate.Mark // what people said of a node
	Score           float64
	Excerpt         search.Excerpt
	OfTitle         bool // Excerpt is a part of Title, which has a hit
}

// Found is the answer to a search.
type Found struct {
	Hits []Hit // the best first
	// Some says that nothing has all of the words, and that hits have some of them.
	Some bool
	// Instead are the words that were looked for in the place of ones that nothing
	// has.
	Instead map[string][]string
}

// Find filters.
const (
	ByPerson = "person"
	ByAgent  = "agent"
)

// Finding narrows a search. The zero Finding leaves everything in.
type Finding struct {
	Filter        // its Text is not looked at
	File   string // a text has its name, or the end of its path
	By     string // ByPerson, ByAgent
	Width  int    // of an excerpt, in bytes; 0 is 240
	Limit  int    // of hits; 0 is 20
}

// FindKinds returns the kinds that a search can be narrowed to.
func FindKinds() []string { return []string{"message", "command", "decision", "ban", "edit"} }

// candidates is how many of what was found are ranked at most: the newest.
const candidates = 500

// Find searches everything that was said, decided and edited. Words may be begun;
// one that nothing has is looked for as what it may be a misspelling of; and if
// nothing has all of the words, what has some of them is found.
//
// The stages, from strict to loose, end as soon as there are enough hits:
//
//	1  all words, as they are
//	2  all words, each also as the beginning of a longer one
//	3  any of the words, if there were several and nothing has all
//
// At most 500 rows, the newest, are ranked by [search.Query.Rank].
func (r *Reader) Find(ctx context.Context, q search.Query, f Finding) (found Found, err error) {
	if len(q.Terms) == 0 {
		return found, ErrSearch
	}
	if f.Limit <= 0 {
		f.Limit = 20
	}
	if f.Width <= 0 {
		f.Width = 240
	}
	err = r.look(ctx, func(v view) error {
		s := finder{view: v, q: q, f: f}
		found, err = s.run(ctx)
		return err
	})
	if err != nil {
		return Found{}, fmt.Errorf("search: %w", sqlitefile.Explain(err))
	}
	return found, nil
}

// finder is a search on its way.
type finder struct {
	view

	q        search.Query
	f        Finding
	scope    string // by which every stage is narrowed
	session  string // whose rows alone count; "" is any
	from, to int64  // the rows that the times and the session leave
	rows     []int64
}

// run goes from the strictest reading of the query to the loosest.
func (s *finder) run(ctx context.Context) (found Found, err error) {
	none, err := s.narrow(ctx)
	if err != nil || none {
		return found, err
	}
	if found.Instead, err = s.spell(ctx); err != nil {
		return found, err
	}
	for _, begun := range []bool{false, true} {
		if err = s.stage(ctx, begun, " AND "); err != nil {
			return found, err
		}
		if len(s.rows) >= s.f.Limit {
			break
		}
	}
	if len(s.rows) == 0 && len(s.q.Terms) > 1 {
		found.Some = true
		if err = s.stage(ctx, true, " OR "); err != nil {
			return found, err
		}
	}
	found.Hits, err = s.hits(ctx)
	return found, err
}

// narrow works out the filters. It reports true if there is nothing that they leave.
func (s *finder) narrow(ctx context.Context) (none bool, err error) {
	projects, err := s.projects(ctx, s.f.Project)
	if err != nil || s.f.Project != "" && len(projects) == 0 {
		return true, err
	}
	if err = s.bound(ctx); err != nil {
		return true, err
	}
	var all []string
	add := func(words []string) {
		if len(words) > 0 {
			all = append(all, "scope : ("+strings.Join(words, " OR ")+")")
		}
	}
	var in, kinds []string
	for _, p := range projects {
		in = append(in, fulltext.Quoted(fulltext.ProjectWord(p)))
	}
	add(in)
	for _, k := range s.f.Kinds {
		kinds = append(kinds, map[string][]string{
			"message": {fulltext.KindWord("message"), fulltext.KindWord("conversation")}, "command": {fulltext.KindWord("command")},
			"decision": {fulltext.KindWord("decision")}, "ban": {fulltext.IsBan}, "edit": {fulltext.KindWord("episode")},
		}[k]...)
	}
	add(kinds)
	if s.f.Tool != "" {
		add([]string{fulltext.Quoted(fulltext.ToolWord(string(s.f.Tool)))})
	}
	if by := map[string]string{ByPerson: fulltext.ByPerson, ByAgent: fulltext.ByAgent}[s.f.By]; by != "" {
		add([]string{by})
	}
	if strings.IndexFunc(s.f.File, fulltext.IsWord) >= 0 {
		all = append(all, "text : "+fulltext.Quoted(fulltext.Spaced(strings.TrimLeft(s.f.File, "./"))))
	}
	s.scope = strings.Join(all, " AND ")
	return false, nil
}

// bound works out which rows the times and the session leave.
func (s *finder) bound(ctx context.Context) (err error) {
	from, to := s.f.span()
	if s.f.Session != "" {
		if s.session, err = s.sessionID(ctx, s.f.Session); err != nil {
			return fmt.Errorf("session %s: %w", s.f.Session, err)
		}
		first, last, err := s.numbersOf(ctx, s.session)
		if err != nil {
			return err
		}
		from, to = max(from, first), min(to, last+1)
	}
	s.from, s.to = math.MinInt64, math.MaxInt64
	if from != math.MinInt64 {
		s.from = schema.RowOfNode(from)
	}
	if to != math.MaxInt64 {
		s.to = schema.RowOfNode(to)
	}
	return nil
}

// ofSession narrows rows to those of a session.
const ofSession = ` AND iif(rowid & 1, EXISTS (SELECT * FROM messages CROSS JOIN talks USING (t) WHERE n = words.rowid >> 1 AND session = ?5),
	EXISTS (SELECT * FROM nodes WHERE n = words.rowid >> 1 AND session = ?5))`

// stage finds the newest rows that a reading of the query leaves.
//
// Rows that an earlier stage has found are kept in front.
func (s *finder) stage(ctx context.Context, begun bool, join string) error {
	var terms []string
	for _, t := range s.q.Terms {
		ways := fulltext.Phrases(t, begun)
		if begun && !t.Phrase && len(t.Near) == 0 {
			words, err := fulltext.BegunWith(ctx, s, strings.ToLower(t.Text), fulltext.ManyBegun)
			if err != nil {
				return err
			}
			if len(words) > 0 { // FTS5 gathers all that there is of a beginning, and takes its time
				ways = []string{`text : ("` + strings.Join(words, `" OR "`) + `")`}
				if parts := fulltext.Parts(t.Text); parts != "" {
					ways = append(ways, "text : "+fulltext.Quoted(parts))
				}
			}
		}
		terms = append(terms, "("+strings.Join(ways, " OR ")+")")
	}
	expr := "(" + strings.Join(terms, join) + ")"
	if s.scope != "" {
		expr += " AND " + s.scope
	}
	for _, t := range s.q.Without {
		expr = "(" + expr + ") NOT (" + strings.Join(fulltext.Phrases(t, false), " OR ") + ")"
	}
	narrowed, args := "", []any{expr, s.from, s.to, candidates}
	if s.session != "" {
		narrowed, args = ofSession, append(args, s.session)
	}
	rows, err := schema.Collect(ctx, s, schema.Single[int64], `SELECT rowid FROM words WHERE words MATCH ?1 AND rowid >= ?2 AND rowid < ?3`+narrowed+`
		ORDER BY rowid DESC LIMIT ?4`, args...)
	for _, row := range rows {
		if len(s.rows) < candidates && !slices.Contains(s.rows, row) {
			s.rows = append(s.rows, row)
		}
	}
	return err
}

// spell finds words in the place of those that nothing has, not as the beginning of
// a word either.
func (s *finder) spell(ctx context.Context) (map[string][]string, error) {
	instead := map[string][]string{}
	for i := range s.q.Terms {
		t := &s.q.Terms[i]
		word := strings.ToLower(t.Text)
		if t.Phrase || strings.IndexFunc(word, fulltext.NotPlain) >= 0 || fulltext.Parts(t.Text) != "" {
			continue
		}
		known, err := fulltext.Known(ctx, s, word)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		if t.Near, err = fulltext.Near(ctx, s, word); err != nil {
			return nil, err
		}
		if len(t.Near) > 0 {
			instead[t.Text] = t.Near
		}
	}
	return instead, nil
}

// hits returns the best of what was found.
//
// A decision and the turn that it was made in are one hit, the better one.
func (s *finder) hits(ctx context.Context) ([]Hit, error) {
	hits, texts, err := s.texts(ctx)
	if err == nil {
		hits, texts, err = s.obey(ctx, hits, texts)
	}
	if err != nil {
		return nil, err
	}
	newest := slices.Max(append(s.rows, 0))
	ranked := make([]search.Text, len(hits))
	for i := range hits {
		ranked[i] = search.Text{Words: texts[i], Weight: weight(&hits[i].Hit), Age: schema.Age(newest, hits[i].row)}
	}
	scores := s.q.Rank(ranked)
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a].Value > scores[b].Value:
			return -1
		case scores[a].Value < scores[b].Value:
			return 1
		}
		return 0
	})
	var best []Hit
	seen := map[place]bool{}
	for _, i := range order {
		h := hits[i].Hit
		at := place{h.Source, h.Session, h.Thread, h.Seq, h.Path}
		if seen[at] {
			continue // a decision and the words that decided it
		}
		seen[at] = true
		h.Score = scores[i].Value
		h.Excerpt, h.OfTitle = s.excerpt(&h, texts[i], scores[i].Hits)
		if best = append(best, h); len(best) == s.f.Limit {
			break
		}
	}
	return best, nil
}

// excerpt returns what is shown of a hit. The words of a decision are those of all its options,
// one after the other; its title says which was taken.
func (s *finder) excerpt(h *Hit, text string, hits []search.Span) (e search.Excerpt, ofTitle bool) {
	if h.Title != "" {
		if in := s.q.Rank([]search.Text{{Words: h.Title}})[0].Hits; len(in) > 0 {
			return search.Around(h.Title, in, s.f.Width), true
		}
	}
	return search.Around(text, hits, s.f.Width), false
}

// place is where in a transcript something stands.
type place struct {
	source          core.Tool
	session, thread string
	seq             int64
	path            string
}

// weight returns how much a kind counts.
func weight(h *Hit) float64 {
	switch {
	case h.Kind == "decision":
		return 1.3
	case h.Kind == "command" || h.Kind == "episode":
		return 0.7
	case h.ByPerson:
		return 1.15
	}
	return 1
}

// rowHit is a hit and its row.
type rowHit struct {
	Hit

	row int64
}

// texts reads what stands in the rows that were found.
func (s *finder) texts(ctx context.Context) (hits []rowHit, texts []string, err error) {
	var nodes, spoken []int64
	for _, row := range s.rows {
		if n, message := schema.NumberOf(row); message {
			spoken = append(spoken, n)
		} else {
			nodes = append(nodes, n)
		}
	}
	list, err := schema.JSONList(spoken)
	if err != nil {
		return nil, nil, err
	}
	said, err := messages.Read(ctx, s, "n IN (SELECT value FROM json_each(?))", list)
	if err != nil {
		return nil, nil, err
	}
	for i := range said {
		m := &said[i]
		hits = append(hits, rowHit{hitOf(m), schema.RowOfMessage(m.N)})
		texts = append(texts, m.Text)
	}
	list, err = schema.JSONList(nodes)
	if err != nil {
		return nil, nil, err
	}
	found, err := schema.Collect(ctx, s, scanFound, `SELECT n, id, kind, source, session, thread, seq, coalesce(timestamp, ''), project,
		coalesce(speaker = 'user' OR decided_by = 'user', 0), coalesce(is_ban, 0), coalesce(path, ''), json
		FROM nodes WHERE n IN (SELECT value FROM json_each(?))`, list)
	var doc jsondoc.Doc
	for i := range found {
		if _, err = doc.Parse(found[i].json); err != nil {
			return nil, nil, err
		}
		if node := doc.Root(); found[i].Kind == "decision" {
			found[i].Title = cmp.Or(node.Get("title").Str(), node.Get("epitome").Str())
		}
		hits = append(hits, rowHit{found[i].Hit, schema.RowOfNode(found[i].n)})
		texts = append(texts, fulltext.OfNode(found[i].Kind, doc.Root(), false))
	}
	return hits, texts, err
}

// foundNode is a hit with its row.
type foundNode struct {
	Hit

	n    int64
	json []byte
}

// scanFound reads the columns of a hit.
func scanFound(rows *sql.Rows, f *foundNode) error {
	return rows.Scan(&f.n, &f.ID, &f.Kind, &f.Source, &f.Session, &f.Thread, &f.Seq, &f.Timestamp, &f.Project,
		&f.ByPerson, &f.IsBan, &f.Path, &f.json)
}

// hitOf returns a message as a search finds it.
func hitOf(m *messages.Message) Hit {
	return Hit{
		Kind: m.Kind, Source: core.Tool(m.Source), Session: m.Session, Thread: m.Thread, Seq: m.Seq,
		Timestamp: schema.StampOf(m.N), Project: m.Project, ByPerson: m.Kind == string(core.Asked),
	}
}
