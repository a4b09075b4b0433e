package scenario

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Shape reduces what came out of a session to what every tool must show of its
// scenario, line by line in the order of time:
//
//	user TEXT          a person's turn
//	decides            something was decided in it; bans, if it was a ban
//	CHANGE PATH        an applied edit, with "by a subagent" where one made it;
//	                   edits of one file in a row count once
//	failure            a call that failed or was refused
//	unanswered         a call that never got a result, in the place of the next turn
//	compaction         the model's view was replaced by a summary
//	rewind             the conversation went back
//	answer             the assistant had the last word of the turn
//
// Records that a resume or fork copied count once.
func Shape(r *trial.Result, repo string) []string {
	s := &shaper{r: r, repo: repo, seen: map[string]bool{}, open: map[string]bool{}, turns: map[trial.Location][]string{}, voided: map[string]bool{}}
	all := inTime(r)
	for _, e := range all {
		s.voided[e.Voids] = true
		if e.Event == "user_turn" {
			s.turns[e.Provenance] = append(s.turns[e.Provenance], e.Identity())
		}
	}
	for _, e := range all {
		if !e.Echo {
			s.event(e)
		}
	}
	s.endTurn()
	return s.lines
}

// inTime merges the streams by time. Within a stream the order stays, though a
// record may have an earlier time than one before it.
func inTime(r *trial.Result) []*trial.Event {
	var all []*trial.Event
	at := map[*trial.Event]string{}
	for _, st := range r.Streams {
		latest := ""
		for _, e := range st.Events {
			latest = max(latest, e.Timestamp)
			at[e] = latest
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b *trial.Event) int { return cmp.Compare(at[a], at[b]) })
	return all
}

// shaper writes down what happened in a session in a short form that does not depend on ids.
type shaper struct {
	r      *trial.Result
	repo   string
	lines  []string
	seen   map[string]bool
	voided map[string]bool             // rewinds that were none
	open   map[string]bool             // calls without a result
	turns  map[trial.Location][]string // which of the turns stand where
	said   bool                        // the last thing of the main line was said by the assistant
	turn   bool                        // a turn has begun
}

// once reports whether a thing is met for the first time.
func (s *shaper) once(kind, id string) bool {
	key := kind + " " + id
	defer func() { s.seen[key] = true }()
	return !s.seen[key]
}

// add adds a line, once where it would be repeated.
func (s *shaper) add(line string) {
	if n := len(s.lines); n > 0 && s.lines[n-1] == line && strings.Contains(line, "/") {
		return
	}
	s.lines = append(s.lines, line)
}

// event adds what an event contributes to the shape.
func (s *shaper) event(e *trial.Event) {
	main := e.ThreadID == ""
	switch e.Event {
	case "user_turn":
		if main && !e.Injected && s.once("user", e.Identity()) {
			s.endTurn()
			s.turn = true
			first, _, _ := strings.Cut(e.Body.Text, "\n")
			s.add("user " + first)
			s.decisions(e)
		}
	case "assistant_turn":
		if s.once("said", e.Identity()) && main && !e.Injected && strings.TrimSpace(e.Body.Text) != "" {
			s.said = true
		}
	case "tool_call":
		if s.once("call", e.Body.CallID) {
			s.open[e.Body.CallID] = true
			s.said = s.said && !main
		}
	case "tool_result":
		delete(s.open, e.Body.CallID)
		if !e.Body.OK && s.once("failure", e.Body.CallID) {
			s.add("failure")
		}
	case "file_edit":
		if s.once("edit", e.Body.CallID+" "+e.Body.Diff.Path) {
			s.edit(e)
		}
	case "compaction":
		if s.once("compaction", e.Identity()) {
			s.spoke()
			s.add("compaction")
		}
	case "rewind":
		if !s.voided[e.ID] && s.once("rewind", e.ID) {
			s.endTurn()
			s.add("rewind")
		}
	}
}

// edit adds an edit.
func (s *shaper) edit(e *trial.Event) {
	line := e.Body.Diff.Change + " "
	if e.Body.Diff.OldPath != "" {
		line += s.path(e.Body.Diff.OldPath) + " "
	}
	line += s.path(e.Body.Diff.Path)
	if e.ThreadID != "" {
		line += " by a subagent"
	}
	s.add(line)
}

// path returns a path relative to the recorded repository.
func (s *shaper) path(p string) string { return strings.TrimPrefix(p, s.repo+"/") }

// decisions says whether something was decided in a turn.
func (s *shaper) decisions(e *trial.Event) {
	decides, bans := false, false
	for _, d := range s.r.NodesOf("decision") {
		// In a document all stand in one place: there the turns tell them apart.
		within := d.TurnRange == nil || d.TurnRange.Start <= e.Seq && e.Seq <= d.TurnRange.End
		if at := d.Provenance[len(d.Provenance)-1]; at == e.Provenance && within || at != e.Provenance && s.isCopied(at, e) {
			decides = decides || !d.IsBan
			bans = bans || d.IsBan
		}
	}
	if decides {
		s.add("decides")
	}
	if bans {
		s.add("bans")
	}
}

// isCopied reports whether a copy of a turn stands in a place.
func (s *shaper) isCopied(at trial.Location, e *trial.Event) bool {
	return slices.Contains(s.turns[at], e.Identity())
}

// endTurn says how the turn ended.
func (s *shaper) endTurn() {
	if !s.turn {
		return
	}
	s.turn = false
	for range s.open {
		s.add("unanswered")
	}
	clear(s.open)
	s.spoke()
}

// spoke says that the assistant had the last word, if it had.
func (s *shaper) spoke() {
	if s.said {
		s.add("answer")
	}
	s.said = false
}
