// Package pipeline connects the stages: it turns lines of transcripts into nodes as
// the lines arrive.
//
// A [Set] holds the streams of one capture. Every line is parsed and folded
// once; what a line changes comes out as the nodes that are new or different
// now. Reading a finished transcript is the same thing done from its first line
// to its last: there is no other path.
//
// An event that echoes what the session's own transcript records (a hook's report,
// telemetry) gives no nodes: the transcript alone knows how they are named, and
// whichever of the two is read first, what stands must be the same.
//
// Streams know of each other in four ways only, and in all of them the order in
// which they are read makes no difference:
//
//   - Copies. A fork or a resumed session repeats records of another stream, so
//     that two streams give a node of the same id. The candidates are ranked by
//     what they are, and the best one stands.
//   - Subagents. A subagent's edits look back from the call that started it,
//     which may stand in another stream. They wait until both are known.
//   - Rewinds. A session that continues in a new file may begin with going back to
//     a point of the old one.
//   - Forks by reference. A session may go on from a point of another one without
//     repeating its records. Its edits look back beyond that point, too.
//
// Streams that have had anything to do with each other in one of these ways are
// a [Group]. What follows from the streams of a group follows from nothing else,
// so that a group can be forgotten and read again, and nothing else needs to be.
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
	Rules *gate.Rules  // nil: the built-in ones
	Model *score.Model // by which decisions are judged; nil: the built-in one, which is read from its table
	// Threshold is the least score of a decision that is sent, from 1 to 100; 0 is
	// [decide.Threshold].
	Threshold int
	// Echoes has events that only repeat what a transcript records give nodes
	// too. It is for sessions whose transcripts are not among the streams: with
	// them there, the same fact would stand twice.
	Echoes bool
	// Leave, if not nil, says what is left out: events of it are as if they were
	// not there. Its answers may not change.
	Leave func(Subject) bool
	// Spill, if not nil, takes over what is hardly ever asked for again, and would
	// grow with a session.
	Spill Spill
	// Shapes has every record compared with what is known of its tool's, so that
	// [Stats] says what is not.
	Shapes bool
	// MaxFacts is about how many bytes the facts of one stream may take that are kept
	// for good; 0 is a standard of 64 MiB. Of a stream with more, the oldest have no
	// say any more in what follows, and [Stats] says so.
	MaxFacts int
	// Messages has [Set.Messages] return what was said.
	Messages bool
}

// Set is the streams of one capture and the nodes that follow from them. It
// serves one goroutine.
type Set struct {
	judge    *decide.Judge
	echoes   bool
	leave    func(Subject) bool
	claims   claims
	changed  map[string]*core.Node
	sessions map[sessionKey]*session
	onKey    func(*Stream, Key)
	onJoin   func(*Group)
	maxFacts int
	doc      jsondoc.Doc // of the record that is being read
	spill    Spill
	failed   error                      // of the spill store
	shapes   map[core.Tool]*shape.Known // nil if they are not wanted
	hears    bool                       // messages are wanted
	messages []*core.Message            // that Messages has not returned yet
}

// sessionKey names a session among those of all tools: two tools may use one id.
type sessionKey struct {
	tool core.Tool
	id   string
}

// session joins the streams of one session: its subagents' edits with the calls
// that started them.
type session struct {
	owner   *Stream             // one of those that it joins
	spawns  map[string]spawn    // by the thread that was started
	waiting map[string][]waiter // edits, by the thread whose start they wait for: theirs, or one above

	anchors map[string]anchor // events to which another stream may refer
	cuts    map[string]string // ids of rewinds in other streams, by the event to which they go back
	heirs   map[string][]heir // edits of forks, by the event behind which their history ends
}

// NewSet returns a set without streams. It fails only if the built-in rules do.
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
		judge: decide.NewJudge(rules, model, threshold), echoes: o.Echoes, leave: o.Leave, spill: o.Spill, maxFacts: o.MaxFacts, hears: o.Messages,
		claims: newClaims(), changed: map[string]*core.Node{}, sessions: map[sessionKey]*session{},
	}
	if o.Shapes {
		set.shapes = map[core.Tool]*shape.Known{}
	}
	return set, nil
}

// Open adds a stream, to be read from its first line. File is what provenance
// will say.
func (s *Set) Open(a core.Adapter, info core.StreamInfo, file string) *Stream {
	st := &Stream{
		set: s, leaving: leaving{judge: s.leave}, tool: a.Tool(), standing: &standing{parser: a.NewParser(info)},
		facts: segment.New(s.judge, s.maxFacts), index: map[*segment.Thread]*bind.Index{},
	}
	st.census = s.census(st.tool)
	st.leaving.open(st.tool, file)
	st.group = &Group{streams: []*Stream{st}}
	st.number = s.claims.enter(st)
	st.emit = st.event
	st.at.File, st.file = file, file
	return st
}

// census compares records with what their tool is known to write. It is nil if
// they are not wanted, or nothing is known.
func (s *Set) census(tool core.Tool) *shape.Census {
	table := shape.Table(tool)
	if table == nil || s.shapes == nil {
		return nil
	}
	known := s.shapes[tool]
	if known == nil {
		var err error
		if known, err = shape.Parse(table); err != nil { // a test reads every table
			return nil
		}
		s.shapes[tool] = known
	}
	return known.Census()
}

// Take returns the nodes that are new or different since the last Take, in
// canonical order. A sink that keeps the last node of each id holds what is
// true.
func (s *Set) Take() []*core.Node {
	if len(s.changed) == 0 {
		return nil
	}
	nodes := make([]*core.Node, 0, len(s.changed))
	for _, n := range s.changed { // sorted below
		nodes = append(nodes, n)
	}
	s.changed = map[string]*core.Node{} // clearing one that was large costs its size every time
	slices.SortFunc(nodes, nodeprep.Compare)
	return nodes
}

// take derives what follows from the facts that a stream has just recorded.
func (s *Set) take(st *Stream, ev *core.Event) {
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
		s.again(st, d)
	}
	s.spillTexts(f.New)
	for _, sp := range f.Spawns {
		s.spawned(st, sp)
	}
	for _, e := range f.Edits {
		s.put(st, nodeprep.Episode(e), e.Copied)
		s.bind(waiter{st, e})
	}
	for _, m := range f.Memories {
		if m.Store != memory.Files || s.leave == nil || !s.leave(Subject{Tool: ev.Source, Project: ev.Project, Path: m.Key}) {
			s.put(st, nodeprep.Memory(m), m.Copied)
		}
	}
	if f.Anchor != nil || f.Cut != "" {
		s.cut(st, ev)
	}
	if f.IsOverLimit() {
		st.shrink()
	}
}

// session is what joins the streams of a session, for one of them.
func (s *Set) session(st *Stream, key sessionKey) *session {
	ss := s.sessions[key]
	if ss == nil {
		ss = &session{
			owner: st, spawns: map[string]spawn{}, waiting: map[string][]waiter{},
			anchors: map[string]anchor{}, cuts: map[string]string{}, heirs: map[string][]heir{},
		}
		s.sessions[key] = ss
		st.group.sessions = append(st.group.sessions, key)
		s.added(st, key.name())
	}
	ss.owner.join(st)
	return ss
}

// indexOf is the index of what was decided in a thread, by the names that it mentions.
func (s *Stream) indexOf(t *segment.Thread) *bind.Index {
	x := s.index[t]
	if x == nil {
		x = &bind.Index{}
		s.index[t] = x
	}
	return x
}
