// Package invariant checks the nodes and events of any transcript against the
// contract.
//
// The checks work on events and nodes as they are written, and know nothing of
// how they were made. Each returns what it finds wrong; nothing is good.
//
// The checks and the promises behind them:
//
//	lossless      each record gives an event; what is not understood is kept verbatim
//	sequence      seq counts without a gap; ids are unique within a stream
//	times         an inferred time is that of the event before
//	compactions   what a compaction replaced came before it
//	edits         a diff is of one file, with the counts and headers that it claims
//	rewinds       what a rewind took back is superseded, and nothing else is
//	nodeSet       one node per id, in canonical order, with places that exist
//	episodes      one for each edit, none for anything else
//	turns         what a node quotes stands in its turns
//	bindings      both ends exist, and the cause is not later than its effect
//
// They read the output with a JSON decoder of their own (jsontext), not with the one
// under test. At most five problems of a kind are reported.
//
// Which function to use:
//
//	Result      a reading without redaction: all checks
//	Structure   a reading with redaction: the checks that do not compare texts with the source
//	NoSecrets   none of the given secrets is in the JSON
//	Same        two readings that must be equal
//	SameFacts   two readings of the same files at different places
//
// A problem names the kind of check, the place as file:line, and what was expected, so that it
// can be understood without running the check again.
//
// Where to find what: events.go has the checks of single streams, nodes.go those of nodes and
// bindings, rewinds.go what is superseded, secrets.go the search for secrets.
package invariant

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// maxProblems is how many problems of one kind are worth reading.
const maxProblems = 5

// Result checks everything that one reading of transcripts can show, if nothing
// was taken out of it.
//
// It is for readings without redaction: what was taken out could not be compared.
func Result(r *trial.Result) []string {
	p := problems{list: Structure(r)}
	for _, s := range r.Streams {
		lossless(&p, s)
		edits(&p, s)
	}
	episodes(&p, r)
	turns(&p, r, words)
	return p.list
}

// Structure checks what holds of a reading also when secrets were taken out.
func Structure(r *trial.Result) []string {
	var p problems
	for _, s := range r.Streams {
		sequence(&p, s)
		times(&p, s)
		compactions(&p, s)
	}
	rewinds(&p, r)
	nodeSet(&p, r)
	turns(&p, r, markers)
	bindings(&p, r)
	return p.list
}

// Same compares two readings that must not differ: the same events of each
// transcript, by its name, and the same nodes.
//
// Streams are paired by name, nodes by their position in canonical order.
func Same(a, b *trial.Result) []string {
	var p problems
	streams := map[string]*trial.Stream{}
	for _, s := range b.Streams {
		streams[s.Input.Name] = s
	}
	for _, s := range a.Streams {
		other := streams[s.Input.Name]
		if other == nil {
			p.add("stream", "%s was read once only", s.Input.Name)
			continue
		}
		sameLines(&p, "events of "+s.Input.Name, eventLines(s.Events), eventLines(other.Events))
	}
	sameLines(&p, "nodes", nodeLines(a.Nodes), nodeLines(b.Nodes))
	return p.list
}

// SameFacts compares the nodes of two readings whose files lie in different
// places: all but where they come from.
func SameFacts(a, b *trial.Result) []string {
	var p problems
	var have, want [][]byte
	for _, n := range a.Nodes {
		want = append(want, []byte(withoutPlace(n)))
	}
	for _, n := range b.Nodes {
		have = append(have, []byte(withoutPlace(n)))
	}
	sameLines(&p, "nodes without their places", want, have)
	return p.list
}

// withoutPlace returns the node as it is written, but for its provenance, which ends at the
// bracket that closes it: brackets in strings and inner lists do not count.
func withoutPlace(n *trial.Node) string {
	head, rest, _ := strings.Cut(string(n.JSON), `,"provenance":[`)
	depth, quoted := 1, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return head + rest[i+1:]
			}
		}
	}
	return head
}

// sameLines reports where two lists of lines differ, pair by pair, and if one of them is
// longer.
func sameLines(p *problems, what string, want, got [][]byte) {
	if len(want) != len(got) {
		p.add(what, "%s: %d and %d", what, len(want), len(got))
	}
	for i := range min(len(want), len(got)) {
		if string(want[i]) != string(got[i]) {
			w, g := part(want[i], got[i])
			p.add(what, "%s: number %d differs:\n  %s\n  %s", what, i, w, g)
		}
	}
}

// part cuts two texts to where they begin to differ: up to 80 bytes before that, and up to 120
// after.
func part(a, b []byte) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-80)
	return string(a[from:min(len(a), i+120)]), string(b[from:min(len(b), i+120)])
}

// eventLines returns the lines of events as they were written.
func eventLines(events []*trial.Event) [][]byte {
	lines := make([][]byte, len(events))
	for i, e := range events {
		lines[i] = e.JSON
	}
	return lines
}

// nodeLines returns the lines of nodes as they were written.
func nodeLines(nodes []*trial.Node) [][]byte {
	lines := make([][]byte, len(nodes))
	for i, n := range nodes {
		lines[i] = n.JSON
	}
	return lines
}

// problems collects what is wrong, a few of each kind.
type problems struct {
	list  []string
	count map[string]int
}

// add notes a problem of a kind. After maxProblems of a kind one line says that there are more,
// and the rest is dropped.
func (p *problems) add(kind, format string, args ...any) {
	if p.count == nil {
		p.count = map[string]int{}
	}
	p.count[kind]++
	switch n := p.count[kind]; {
	case n <= maxProblems:
		p.list = append(p.list, fmt.Sprintf(format, args...))
	case n == maxProblems+1:
		p.list = append(p.list, kind+": and more")
	}
}

// where returns a place as file:line.
func where(at trial.Location) string { return fmt.Sprintf("%s:%d", at.File, at.Line) }
