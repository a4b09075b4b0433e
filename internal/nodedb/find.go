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
	"github.com/memscribe/memscribe/internal/nodedb/marks"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Hit is a result of a search: a message, a conversation, a decision or an edit.
//
//	{"kind":"decision","id":"decision:bd75…","source":"pi","session_id":"01a202a4-…","seq":19,
//	 "score":0.301,"title":"…","excerpt":"Alternative take: keep /healthz but …","hits":[[24,31]],…}
//
// The offsets in hits are bytes of the excerpt.
type Hit struct {
	Kind            string // user, assistant, command, conversation, decision, episode
	ID              string // of a node; "" for a message
	Source          core.Tool
	Session, Thread string
	Brief           string // of Session: see [Reader.Briefs]
	Seq             int64
	Timestamp       string // "" if it has none
	Project         string
	ByPerson        bool
	IsBan           bool
	Path            string        // of an edit
	Title           string        // of a decision
	Mark            annotate.Mark // the annotations of a node
	Score           float64
	Excerpt         search.Excerpt
	OfTitle         bool // Excerpt is a part of Title
}

// Found is the answer to a search.
type Found struct {
	Hits []Hit // best first
	// Some says that nothing has all of the words; the hits have some of them.
	Some bool
	// Instead has, for each word that nothing has, the words that were searched for
	// instead.
	Instead map[string][]string
}

// Values of Finding.By.
const (
	ByPerson = "person"
	ByMe     = "me" // a person whose words were captured here, and not received from a team
	ByAgent  = "agent"
)

// Finding restricts a search. The zero Finding restricts nothing.
type Finding struct {
	Filter        // its Text is ignored
	File   string // the text has the name of this file, or the end of its path
	By     string // ByPerson, ByMe, ByAgent
	Width  int    // length of an excerpt in bytes; 0 is 240
	Limit  int    // number of hits; 0 is 20
}

// FindKinds returns the kinds that a search can be restricted to.
func FindKinds() []string { return []string{"message", "command", "decision", "ban", "edit"} }

// candidates is the largest number of rows that are ranked: the newest.
const candidates = 500

// Find searches messages, decisions and edits. A word may be the beginning of one. If
// nothing has a word, words of similar spelling are searched for instead. If nothing has
// all of the words, texts with some of them are found.
//
// The search has stages, and ends as soon as there are enough hits:
//
//	1  all words, as they are
//	2  all words, each also as the beginning of a longer one
//	3  any of the words, if there were several and nothing has all
//
// The newest rows, at most candidates, are ranked by [search.Query.Rank].
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
		if found, err = s.run(ctx); err != nil {
			return err
		}
		return brief(ctx, v, found.Hits, func(h *Hit) (string, *string) { return h.Session, &h.Brief })
	})
	if err != nil {
		return Found{}, fmt.Errorf("search: %w", sqlitefile.Explain(err))
	}
	return found, nil
}

// finder is the state of one search.
type finder struct {
	view

	q        search.Query
	f        Finding
	scope    string // FTS5 expression of the filters, for every stage
	session  string // id of the session; "" for any
	own      bool   // leave out what was received from a team
	from, to int64  // range of row numbers, by times and session
	rows     []int64
}

// run runs the stages.
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

// narrow computes the filters. none is true if nothing can match them.
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
	if by := map[string]string{ByPerson: fulltext.ByPerson, ByMe: fulltext.ByPerson, ByAgent: fulltext.ByAgent}[s.f.By]; by != "" {
		add([]string{by})
	}
	if strings.IndexFunc(s.f.File, fulltext.IsWord) >= 0 {
		all = append(all, "text : "+fulltext.Quoted(fulltext.Spaced(strings.TrimLeft(s.f.File, "./"))))
	}
	s.scope = strings.Join(all, " AND ")
	if s.f.By == ByMe {
		s.own, err = marks.HasReceived(ctx, s)
	}
	return false, err
}

// bound computes the range of rows for the times and the session.
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

// ofSession restricts rows to a session.
const ofSession = ` AND iif(rowid & 1, EXISTS (SELECT * FROM messages CROSS JOIN talks USING (t) WHERE n = words.rowid >> 1 AND session = ?5),
	EXISTS (SELECT * FROM nodes WHERE n = words.rowid >> 1 AND session = ?5))`

// ofOwn restricts rows to nodes and messages that were not received from a team. Only
// nodes are received.
const ofOwn = ` AND (rowid & 1 OR NOT EXISTS (SELECT * FROM nodes JOIN received USING (id) WHERE n = words.rowid >> 1))`

// stage finds the newest rows of one stage.
//
// Rows of earlier stages stay before them.
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
	if s.own {
		narrowed += ofOwn
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

// spell returns words of similar spelling for those that nothing has, also not as the
// beginning of a word.
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

// hits returns the best hits.
//
// Of a decision and the turn that it was made in, only the better hit is returned.
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

// excerpt returns the excerpt of a hit. The text of a decision has all its options; its title
// shows which one was chosen.
func (s *finder) excerpt(h *Hit, text string, hits []search.Span) (e search.Excerpt, ofTitle bool) {
	if h.Title != "" {
		if in := s.q.Rank([]search.Text{{Words: h.Title}})[0].Hits; len(in) > 0 {
			return search.Around(h.Title, in, s.f.Width), true
		}
	}
	return search.Around(text, hits, s.f.Width), false
}

// place is a position in a transcript.
type place struct {
	source          core.Tool
	session, thread string
	seq             int64
	path            string
}

// weight returns the weight of a kind in the ranking.
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

// texts reads the hits and their texts.
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

// hitOf returns the hit of a message.
func hitOf(m *messages.Message) Hit {
	return Hit{
		Kind: m.Kind, Source: core.Tool(m.Source), Session: m.Session, Thread: m.Thread, Seq: m.Seq,
		Timestamp: schema.StampOf(m.N), Project: m.Project, ByPerson: m.Kind == string(core.Asked),
	}
}
