package truth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

type (
	event  = trial.Event
	stream = trial.Stream
	call   = corpus.Call
)

// Said lists the turns that count as a person's on the main line, each once, in the order of
// time. Echoes, what the tool injected, and what was said to a subagent do not count.
func Said(r *trial.Result) []*trial.Event {
	seen := map[string]bool{}
	var turns []*event
	for _, e := range r.Events() {
		if e.Event == "user_turn" && !e.Echo && !e.Injected && e.ThreadID == "" && !seen[e.Identity()] {
			seen[e.Identity()] = true
			turns = append(turns, e)
		}
	}
	slices.SortStableFunc(turns, func(a, b *event) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return turns
}

// prompts compares what was typed with what counts as typed, and reports any person's turn on a
// subagent's line: nobody types there. Commands of the client, as "/compact", are for the
// client and not for the conversation.
func (k *check) prompts() {
	var want, got []string
	for _, p := range k.typed() {
		if !strings.HasPrefix(p, "/") || k.takesCommands() {
			want = append(want, p)
		}
	}
	for _, e := range Said(k.r) {
		got = append(got, e.Body.Text)
	}
	same := func(got, want string) bool { return got == want }
	switch {
	case k.merged():
		same = strings.Contains
	case k.driven():
		same = strings.HasPrefix // only how they begin is known
	}
	if !slices.EqualFunc(got, want, same) {
		k.problem("people's turns are %.100q, want %.100q", got, want)
	}
	for _, e := range k.r.Events() {
		if e.Event == "user_turn" && !e.Echo && !e.Injected && e.ThreadID != "" {
			k.problem("%s:%d: a person's turn on a subagent's line: %.100q", e.Provenance.File, e.Provenance.Line, e.Body.Text)
		}
	}
}

// driven reports whether a person's keys were played to the client: then what
// the model saw begin is the better list.
func (k *check) driven() bool { return strings.HasPrefix(k.c.Scenario, "tui_") }

// atTerminal reports whether the client ran in a terminal.
func (k *check) atTerminal() bool { return k.driven() || strings.HasPrefix(k.c.Scenario, "terminal_") }

// merged reports whether the client joined two prompts: the one that was taken
// back came to stand behind the next.
func (k *check) merged() bool {
	return k.driven() && k.c.Tool == core.ClaudeCode && k.c.Version == "2.0.77"
}

// typed returns the prompts in the form in which the tool records them. Of a session at a
// terminal only the beginning of each is known.
func (k *check) typed() []string {
	if !k.driven() {
		var texts []string
		for _, p := range k.truth.Prompts {
			texts = append(texts, k.asRecorded(p.Text))
		}
		return texts
	}
	return k.c.Truth.TurnStarts
}

// bindings checks what holds of the bindings of every scenario: both ends exist, and no rewind
// lies between them. The scripts of three scenarios say more, which is checked for those:
//
//	"interleaved_arcs"       an edit is bound to a prompt of its own topic
//	"fork_decided"           an edit in a fork is bound to a decision made before the fork
//	"no_commitment_marker"   nothing was decided, so there is no decision
func (k *check) bindings() {
	nodes := map[string]*trial.Node{}
	for _, n := range k.r.Nodes {
		nodes[n.ID] = n
	}
	for _, b := range k.r.NodesOf("binding") {
		from, to := nodes[b.From], nodes[b.To]
		if from == nil || to == nil {
			k.problem("binding %s: an end is missing", b.ID)
			continue
		}
		k.rewindBetween(b, from, to)
	}
	switch k.c.Base() {
	case "interleaved_arcs", "interleaved_stream":
		k.topics(nodes)
	case "fork_decided":
		k.decidedBefore(nodes)
	case "no_commitment_marker":
		for _, d := range k.r.NodesOf("decision") {
			k.problem("decision %q, but nothing was decided", d.Epitome)
		}
	}
}

// rewindBetween reports a binding from a decision that a rewind had taken back to an edit that
// was made after that rewind.
func (k *check) rewindBetween(b, from, to *trial.Node) {
	for _, e := range k.r.Events() {
		if e.Event == "rewind" && e.ID == from.SupersededBy && e.SessionID == to.SessionID && e.Seq < to.Seq && from.Seq < e.Seq {
			k.problem("binding %s of %s crosses the rewind %s", b.ID, to.Path, e.ID)
		}
	}
}

// decidedBefore checks the scenario in which forks carry out what was decided before them: each
// edit lies in a fork, and is bound to a decision of the session that was forked.
func (k *check) decidedBefore(nodes map[string]*trial.Node) {
	said := Said(k.r)
	for _, o := range k.owed {
		if o.episode == nil || len(said) == 0 {
			continue
		}
		bound := slices.ContainsFunc(k.r.NodesOf("binding"), func(b *trial.Node) bool {
			from := nodes[b.From]
			return b.To == o.episode.ID && from != nil && from.Node == "decision" && from.SessionID == said[0].SessionID
		})
		if !bound || o.episode.SessionID == said[0].SessionID {
			k.problem("edit of %s in session %s hangs on what was decided in %s: %t", o.Path, o.episode.SessionID, said[0].SessionID, bound)
		}
	}
}

// topic returns what a prompt of the scenario with two topics is about: they take
// turns, but that the second script has a prompt about the logs, in a session of
// its own, between two others.
func (k *check) topic(prompt int) int {
	if k.c.Truth.Second() && prompt >= 4 {
		prompt++
	}
	return prompt % 2
}

// topics checks the scenario in which two topics take turns: an edit is bound only to prompts of
// its own topic, none of them later than its own, and on the decision of its own turn if there
// is one.
func (k *check) topics(nodes map[string]*trial.Node) {
	said := Said(k.r)
	promptOf := func(n *trial.Node) int {
		return slices.IndexFunc(said, func(e *event) bool {
			return n.TurnRange != nil && e.SessionID == n.SessionID && n.TurnRange.Start <= e.Seq && e.Seq <= n.TurnRange.End
		})
	}
	decided := map[int]bool{}
	for _, d := range k.r.NodesOf("decision") {
		decided[promptOf(d)] = true
	}
	for _, o := range k.owed {
		if o.episode == nil {
			continue
		}
		bound, own, turn := 0, false, int(o.Turn)
		for _, b := range k.r.NodesOf("binding") {
			if b.To != o.episode.ID || nodes[b.From] == nil {
				continue
			}
			at := promptOf(nodes[b.From])
			if k.topic(at) != k.topic(turn) || at > turn {
				k.problem("edit of %s in turn %d hangs on turn %d: %q", o.Path, turn, at, text(nodes[b.From]))
			}
			bound++
			own = own || at == turn && b.Relation == "produced"
		}
		if bound == 0 || decided[turn] && !own {
			k.problem("edit of %s in turn %d: %d bindings, to the decision of its own turn: %t", o.Path, turn, bound, own)
		}
	}
}

// text returns the words of a node.
func text(n *trial.Node) string { return cmp.Or(n.Epitome, n.Text) }
