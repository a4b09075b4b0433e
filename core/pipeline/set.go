// Package pipeline connects the stages: it turns lines of transcripts into nodes as the
// lines arrive.
//
// A [Set] holds the streams of one capture. Each line is parsed and folded once, and
// [Set.Take] returns the nodes that are new or changed. A finished transcript is read in
// the same way, from its first line to its last.
//
// An event that repeats what the session's own transcript records (a hook's report,
// telemetry) produces no nodes. Only the transcript has the ids that nodes are named
// after, and the result must not depend on which of the two is read first.
//
// Streams are related in four ways. In none of them does the order of reading matter:
//
//   - Copies. A fork or a resumed session repeats records of another stream, so that
//     both have a candidate for the same node. The candidates are ranked by what they
//     are, and the best one is sent.
//   - Subagents. The edits of a subagent are bound from the call that started it, which
//     may be in another stream. They wait until both are known.
//   - Rewinds. A session that continues in a new file may begin by going back to a point
//     of the old one.
//   - Forks by reference. A session may continue from a point of another one without
//     repeating its records. Its edits may bind to decisions before that point.
//
// Streams that are related form a [Group]. The nodes of a group depend on its streams
// alone, so a group can be forgotten and read again without any other.
//
// The steps for one line of a transcript:
//
//	Line ─ jsondoc ─ parser ─▶ Event ─ ids, time, seq ─ exclusion ─▶ segment.Facts
//	                                                                    │ decisions, edits, turns
//	                                           bind.Index ◀─────────────┤
//	                                               │ links              ▼
//	                                               └──────────▶ nodeprep ─▶ claim ─▶ Take
//
// Typical use:
//
//	set, err := pipeline.NewSet(pipeline.Options{})
//	st := set.Open(adapter, info, file)
//	st.Line(line, offset, number)        for each line
//	st.Close()
//	nodes := set.Take()                  new and changed nodes, in canonical order
//
// A panic in a parser becomes an unknown event with the record, and reading continues. Memory:
// 64 MiB of facts for each stream; the oldest are dropped beyond that, and Stats says so.
//
// Where to find what:
//
//	set.go, stream.go     Set and Stream, the interface of the package
//	bounds.go             overlong ids, paths and diffs
//	claims.go             the best candidate for each node
//	exclude.go            what the user excludes
//	group.go, shared.go   streams that are related
//	spawn.go              edits of subagents, bound from the call that started them
//	fork.go, rewind.go    sessions that continue from a point of another file
//	message.go            messages, for sinks that keep them
//	spill.go              texts that are kept outside of memory
package pipeline

import (
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/score"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/shape"
)

// Options configure the stages. The zero value is a complete configuration.
type Options struct {
	Rules *gate.Rules  // nil: the built-in rules
	Model *score.Model // judges decisions; nil: the built-in weights
	// Threshold is the least score of a decision that is sent, from 1 to 100; 0 is
	// [decide.Threshold].
	Threshold int
	// Echoes says that events that repeat a transcript produce nodes too. It is for
	// sessions whose transcripts are not among the streams; otherwise facts would
	// appear twice.
	Echoes bool
	// Exclude, if not nil, reports what is excluded: its events are ignored. Its
	// answers must not change.
	Exclude func(Subject) bool
	// Spill, if not nil, stores texts that are rarely needed again and would grow
	// with a session.
	Spill Spill
	// Shapes says to compare every record with the known shapes of its tool; see
	// Stats.Unseen.
	Shapes bool
	// MaxFacts is about how many bytes the facts of one stream may take; 0 is 64 MiB.
	// The oldest facts over it are dropped, and [Stats] says so.
	MaxFacts int
	// MaxEdit is how many bytes the diff of an edit may have, and the texts of its call; 0 is
	// 8 MiB. One over it is not taken for an edit, and an event says so.
	MaxEdit int
	// Messages says that [Set.Messages] returns messages.
	Messages bool
	// Judged, if not nil, is called each time the exchange of a decision is judged, with
	// the id of its node and what is known of the exchange so far.
	Judged func(id string, in decide.Input)
}

// Set is the streams of one capture and their nodes. It is used by one goroutine.
type Set struct {
	judge            *decide.Judge
	echoes           bool
	exclude          func(Subject) bool
	claims           claims
	changed          map[string]*core.Node
	unsettled        []*Stream // with decisions whose scores wait; see segment.Facts.Settle
	sessions         map[sessionKey]*session
	onKey            func(*Stream, Key)
	onJoin           func(*Group)
	maxFacts         int
	maxEdit          int
	doc              jsondoc.Doc // of the record that is being read
	spill            Spill
	failed           error                      // of the spill store
	shapes           map[core.Tool]*shape.Known // nil unless shapes are compared
	collectsMessages bool                       // see Options.Messages
	judged           func(string, decide.Input) // see Options.Judged
	messages         []*core.Message            // not returned by Messages yet
}

// sessionKey identifies a session. Two tools may use the same id.
type sessionKey struct {
	tool core.Tool
	id   string
}

// session has what relates the streams of one session.
type session struct {
	owner  *Stream          // one of its streams
	spawns map[string]spawn // by started thread
	// edits of subagents, by the thread whose start they wait for: their own or an ancestor
	waiting map[string][]pendingEdit

	anchors map[string]anchor // events that another stream may refer to
	// ids of rewinds in other streams, by the event that they go back to
	cuts      map[string]string
	forkEdits map[string][]forkEdit // edits of forks, by the event that the fork continues from
}

// NewSet returns a set without streams. It fails only if the built-in rules or weights do.
func NewSet(o Options) (*Set, error) {
	rules := o.Rules
	if rules == nil {
		var err error
		if rules, err = gate.New(lexicon.Standard()); err != nil {
			return nil, fmt.Errorf("compile built-in gate rules: %w", err)
		}
	}
	model := o.Model
	if model == nil {
		var err error
		if model, err = decide.Model(); err != nil {
			return nil, fmt.Errorf("read built-in weights: %w", err)
		}
	}
	threshold := o.Threshold
	if threshold == 0 {
		threshold = decide.Threshold
	}
	set := &Set{
		judge: decide.NewJudge(rules, model, threshold), echoes: o.Echoes, exclude: o.Exclude, spill: o.Spill, maxFacts: o.MaxFacts, maxEdit: o.MaxEdit, collectsMessages: o.Messages, judged: o.Judged,
		claims: newClaims(), changed: map[string]*core.Node{}, sessions: map[sessionKey]*session{},
	}
	if o.Shapes {
		set.shapes = map[core.Tool]*shape.Known{}
	}
	return set, nil
}

// Open adds a stream, to be read from its first line. File is its name in provenance.
func (s *Set) Open(a core.Adapter, info core.StreamInfo, file string) *Stream {
	st := &Stream{
		set: s, exclusion: exclusion{isExcluded: s.exclude}, tool: a.Tool(), openState: &openState{parser: a.NewParser(info), bounds: bounds{maxEdit: s.maxEdit}},
		facts: segment.New(s.judge, s.maxFacts), index: map[*segment.Thread]*bind.Index{},
	}
	if s.judged != nil {
		st.facts.Judged = func(d *segment.Decision, in decide.Input) { s.judged(d.NodeID(), in) }
	}
	st.census = s.census(st.tool)
	st.exclusion.open(st.tool, file)
	st.group = &Group{streams: []*Stream{st}}
	st.number = s.claims.addStream(st)
	st.emit = st.event
	st.at.File, st.file = file, file
	return st
}

// census returns what compares records with the known shapes of a tool. It is nil if
// shapes are not compared, or none are known.
func (s *Set) census(tool core.Tool) *shape.Census {
	if s.shapes == nil {
		return nil
	}
	known := s.shapes[tool]
	if known == nil {
		table := shape.Table(tool)
		if table == nil {
			return nil
		}
		var err error
		if known, err = shape.Parse(table); err != nil { // a test reads every table
			return nil
		}
		s.shapes[tool] = known
	}
	return known.Census()
}

// Take returns the nodes that are new or changed since the last Take, in canonical order.
// A sink that keeps the last node of each id has the current state.
func (s *Set) Take() []*core.Node {
	for _, st := range s.unsettled {
		st.unsettled = false
		st.settle()
	}
	clear(s.unsettled)
	s.unsettled = s.unsettled[:0]
	if len(s.changed) == 0 {
		return nil
	}
	nodes := make([]*core.Node, 0, len(s.changed))
	for _, n := range s.changed { // sorted below
		nodes = append(nodes, n)
	}
	// clearing a map that was once large takes as long each time
	s.changed = map[string]*core.Node{}
	slices.SortFunc(nodes, nodeprep.Compare)
	return nodes
}

// derive makes nodes and bindings from the facts that a stream has just recorded.
func (s *Set) derive(st *Stream, ev *core.Event) {
	f := st.facts
	if f.Base != (core.Base{}) && st.base == (core.Base{}) {
		st.base = f.Base
	}
	for _, t := range f.Turns {
		s.put(st, nodeprep.Conversation(t), t.Copied)
	}
	for _, d := range f.Inherited {
		st.indexOf(d.Thread).Add(d)
	}
	for _, d := range f.New {
		st.indexOf(d.Thread).Add(d)
		s.put(st, nodeprep.Decision(d), d.Copied)
	}
	for _, d := range f.Changed {
		s.resend(st, d)
	}
	s.spillTexts(f.New)
	for _, sp := range f.Spawns {
		s.addSpawn(st, sp)
	}
	for _, e := range f.Edits {
		s.put(st, nodeprep.Episode(e), e.Copied)
		s.bind(pendingEdit{st, e})
	}
	for _, m := range f.Memories {
		if m.Store != memory.Files || s.exclude == nil || !s.exclude(Subject{Tool: ev.Source, Project: ev.Project, Path: m.Key}) {
			s.put(st, nodeprep.Memory(m), m.Copied)
		}
	}
	if f.Anchor != nil || f.Cut != "" {
		s.joinRewind(st, ev)
	}
	if f.IsOverLimit() {
		st.shrink()
	}
}

// session returns the session of a stream, and joins their groups.
func (s *Set) session(st *Stream, key sessionKey) *session {
	ss := s.sessions[key]
	if ss == nil {
		ss = &session{
			owner: st, spawns: map[string]spawn{}, waiting: map[string][]pendingEdit{},
			anchors: map[string]anchor{}, cuts: map[string]string{}, forkEdits: map[string][]forkEdit{},
		}
		s.sessions[key] = ss
		st.group.sessions = append(st.group.sessions, key)
		s.reportKey(st, key.name())
	}
	ss.owner.join(st)
	return ss
}

// indexOf returns the index of a thread's decisions by the names that they mention.
func (s *Stream) indexOf(t *segment.Thread) *bind.Index {
	x := s.index[t]
	if x == nil {
		x = &bind.Index{}
		s.index[t] = x
	}
	return x
}
