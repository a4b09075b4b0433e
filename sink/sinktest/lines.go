package sinktest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/internal/sink"
)

// Maker makes lines as a capture gives them: sessions of several tools and
// projects, in which things are said, decided and carried out. The same seed
// gives the same lines.
//
// Words follow Zipf's law over 20,000 invented ones behind a list of common ones, so an
// index of words has the shape that it has in use.
type Maker struct {
	rng     *rand.Rand
	zipf    *rand.Zipf
	words   []string // the common ones first
	count   int
	session int
	left    int // nodes until the session ends
	seq     uint64
	now     int64 // ms
	head    core.Node
	decided []string // ids of the session's decisions
	times   map[string]int64
	pending []core.Node
}

// NewMaker returns a Maker.
func NewMaker(seed uint64) *Maker {
	m := &Maker{rng: rand.New(rand.NewPCG(seed, 1)), now: 1_750_000_000_000, words: common(), times: map[string]int64{}}
	for range 20_000 {
		m.words = append(m.words, m.invent())
	}
	m.zipf = rand.NewZipf(m.rng, 1.15, 4, uint64(len(m.words)-1))
	return m
}

// common are words that many texts have: a search for one finds a large part of all nodes.
func common() []string {
	return strings.Fields(`the to use is in for and of with not it file test error session token user request server client
		query table index cache memory handler config route schema migration database Postgres MySQL Redis retry timeout
		parse encode buffer stream path module import interface method string branch merge commit rename delete create
		always never prefer keep avoid page limit cursor offset login password email invoice order payment refund`)
}

// tools returns the tools that nodes are made of.
func tools() []core.Tool {
	return []core.Tool{core.ClaudeCode, core.Codex, core.Gemini, core.OpenCode}
}

// invent makes a word that hardly any other text has.
func (m *Maker) invent() string {
	b := make([]byte, 4+m.rng.IntN(8))
	for i := range b {
		b[i] = byte('a' + m.rng.IntN(26))
	}
	return string(b)
}

// Word returns a word of the texts; the commonest is number 0.
func (m *Maker) Word(i int) string { return m.words[i] }

// Text makes a text of so many words.
func (m *Maker) Text(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(" \n"[boolInt(m.rng.IntN(12) == 0)])
		}
		b.WriteString(m.words[m.zipf.Uint64()])
	}
	return b.String()
}

// boolInt is 1 for true.
func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Take makes the next n lines. They are the caller's.
//
// An arc may leave lines for the next call; so Take(2) twice gives what Take(4) gives.
func (m *Maker) Take(n int) []sink.Line {
	lines := make([]sink.Line, 0, n)
	for len(lines) < n {
		if len(m.pending) == 0 {
			m.arc()
		}
		lines = append(lines, Line(&m.pending[0]))
		m.pending = m.pending[1:]
	}
	return lines
}

// Line encodes a node.
func Line(n *core.Node) sink.Line {
	// Without a scrubber the encoder has nothing that could go wrong.
	json, _ := new(encode.Encoder).Node(nil, n)
	return sink.Line{
		ID: n.ID, Kind: n.Name(), Source: n.Source, Session: n.Session, Thread: n.Thread, Seq: n.Seq, JSON: json,
	}
}

// begin starts another session.
func (m *Maker) begin() {
	m.session++
	m.left = 20 + m.rng.IntN(200)
	m.seq, m.decided = 0, nil
	m.now += int64(m.rng.IntN(3_600_000))
	project := fmt.Sprintf("/home/dev/work/%s", []string{"orders", "billing", "site", "parser", "agent"}[m.session%5])
	m.head = core.Node{
		Source: tools()[m.session%4], Session: fmt.Sprintf("session-%08d", m.session),
		Project: &core.Project{Cwd: project + "/src", RepoRoot: project, Git: core.Git{Branch: "main"}},
	}
	if m.session%7 == 3 { // a tool that finds no repository
		m.head.Project = &core.Project{Cwd: project + "/src"}
	}
}

// node makes the next node of the session.
func (m *Maker) node(body core.NodeBody, fact core.FactStatus) core.Node {
	n := m.head
	n.Seq, n.Body, n.Fact = m.seq, body, fact
	n.Time = core.UnixMilli(m.now)
	n.ID = core.NodeID(n.Name(), n.Source, n.Session, n.Thread, fmt.Sprint(m.count))
	n.Provenance = []core.Location{{File: "/home/dev/.tool/" + n.Session + ".jsonl", Offset: int64(m.seq) * 2000, Line: int64(m.seq) + 1}}
	m.times[n.ID] = m.now
	m.count++
	m.left--
	return n
}

// step moves on in the session, by some events and up to 20 seconds.
func (m *Maker) step() {
	m.seq += 1 + uint64(m.rng.IntN(4))
	m.now += int64(m.rng.IntN(20_000))
}

// arc is a turn that sets work, what is decided on the way, and the edits.
func (m *Maker) arc() {
	if m.left <= 0 {
		m.begin()
	}
	m.head.Thread = ""
	if m.rng.IntN(10) == 0 {
		m.head.Thread = "agent-1"
	}
	m.step()
	turns := core.TurnRange{Start: m.seq, End: m.seq}
	said := m.node(&core.Conversation{Text: m.Text(4 + int(m.rng.ExpFloat64()*40)), Speaker: core.User, Turns: turns}, core.Observed)
	m.pending = append(m.pending[:0], said)
	reason := said.ID
	for range m.rng.IntN(3) {
		n := m.node(m.decision(turns), core.Observed)
		m.pending = append(m.pending, n)
		m.decided = append(m.decided, n.ID)
		reason = n.ID
	}
	for range m.rng.IntN(3) {
		m.step()
		m.edit(reason)
	}
}

// decision makes a decision; one in twelve is a ban, one in twelve superseded.
func (m *Maker) decision(turns core.TurnRange) *core.Decision {
	d := &core.Decision{Epitome: core.Whole(m.Text(6 + m.rng.IntN(14))), DecidedBy: "user", Turns: turns}
	switch m.rng.IntN(12) {
	case 0:
		d.Epitome, d.IsBan = core.Whole("Never "+d.Epitome.Text), true
	case 1:
		d.SupersededBy = core.NodeID("decision", m.head.Source, m.head.Session, "later", fmt.Sprint(m.count))
	case 2:
		d.DecidedBy = "model-5"
		d.Options = []core.Considered{{Fragment: core.Whole(m.Text(3)), Chosen: true}, {Fragment: core.Whole(m.Text(3))}}
		d.Confirmation = "yes, " + m.Text(3)
	}
	d.Title = core.Title{{Fragment: d.Epitome}}
	return d
}

// edit adds an episode and what binds it.
func (m *Maker) edit(reason string) {
	path := m.head.Project.Cwd + "/" + []string{"api", "store", "web"}[m.rng.IntN(3)] + fmt.Sprintf("/%s%d.go", m.words[200+m.rng.IntN(40)], m.rng.IntN(4))
	var unified strings.Builder
	fmt.Fprintf(&unified, "--- a%s\n+++ b%s\n@@ -1,4 +1,6 @@\n", path, path)
	lines := 4 + int(m.rng.ExpFloat64()*20)
	for range lines {
		unified.WriteString("+" + m.Text(8) + "\n")
	}
	e := &core.Episode{CallID: "call_" + m.invent(), Tool: "Edit", Git: core.Git{Branch: "main"}, Diff: core.Diff{
		Path: path, Unified: unified.String(), Added: lines, Change: core.Modify,
	}}
	e.EpisodeID = e.CallID
	if m.rng.IntN(40) == 0 {
		e.Diff.Change, e.Diff.OldPath = core.Rename, path+".old"
	}
	episode := m.node(e, core.Derived)
	m.pending = append(m.pending, episode)
	relation := core.Produced
	if strings.HasPrefix(reason, "conversation:") {
		relation = core.DerivedFrom
	}
	m.pending = append(m.pending, m.binding(reason, episode.ID, relation))
	if len(m.decided) > 3 && m.rng.IntN(3) == 0 {
		m.pending = append(m.pending, m.binding(m.decided[0], episode.ID, core.Governs))
	}
}

// binding makes a binding from a decision to an edit that were made before.
func (m *Maker) binding(from, to string, relation core.Relation) core.Node {
	return m.node(&core.Binding{
		From: from, To: to, Relation: relation, Evidence: core.SameArc, Prov: core.Prov{
			UsedSession: m.head.Session, UsedDecision: from, GeneratedBy: m.head.Session,
			Use: core.UnixMilli(m.times[from]), Gen: core.UnixMilli(m.now),
		},
	}, core.Derived)
}

// Revised returns the line of a node that has become another, as a decision does
// that is superseded.
func Revised(l sink.Line, mark string) sink.Line {
	l.JSON = append(append([]byte(nil), l.JSON[:len(l.JSON)-1]...), fmt.Sprintf(`,"revised":%q}`, mark)...)
	return l
}
