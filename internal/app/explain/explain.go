// Package explain says how a decision came to its score.
//
// The database keeps the score, and the evidence is in the transcript. So the transcripts
// of a decision are read again, up to the exchange in which it was made, and the judge
// lists what it weighed:
//
//	decision ─ provenance ─▶ transcript ─▶ decide.Input ─▶ decide.Explain ─▶ Explanation
//
// What it shows was redacted: the words that decide are those of the database, and a piece of
// evidence is named only if the redacted exchange has it too. Nodes may come from teammates,
// so that their paths are not trusted: only regular files are read, and none for a node that
// was shared.
package explain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Explanation says how a decision came to its score. It is what memscribe explain prints, and
// with --json its JSON.
//
//	{"id":"decision:bd75…","title":"…","score":64,"certain":false,"how":"exchange","epitome":"…",
//	 "evidence":[{"from":"turn","says":"a sentence that lays something down",
//	              "feature":"ev does in set","weight":0.231},…],"rules":[…]}
type Explanation struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Score     int    `json:"score"`
	Certain   bool   `json:"certain"` // as rules and check see it
	Source    string `json:"source"`
	SessionID string `json:"session_id"`
	Timestamp string `json:"timestamp,omitempty"`
	// File and Line are the last place of the decision's provenance.
	File string `json:"file"` // the transcript
	Line int64  `json:"line,omitempty"`
	// How it is known: "exchange" (judged by the words around it), "structured" (chosen or
	// answered in a dialog of the tool), "gone" (the transcript does not exist here) or
	// "changed" (the transcript does not give this decision any more).
	How      string  `json:"how"`
	Epitome  string  `json:"epitome"`            // the words that decide, as they are stored
	Evidence []Piece `json:"evidence,omitempty"` // the heaviest first
	Rules    []Rule  `json:"rules,omitempty"`    // that matched
}

// Piece is one piece of evidence and its weight. A piece whose name would show a secret has its
// weight only, so that the weights still add up to the score.
type Piece struct {
	From    string  `json:"from"`    // turn, before, reply or edits
	Says    string  `json:"says"`    // in words; "" if it has a secret
	Feature string  `json:"feature"` // its name in the weights; "" if it has a secret
	Weight  float64 `json:"weight"`  // in log odds: 0.7 doubles them
}

// Rule is a rule of the gate that matched. Matched is the text that it matched, as the database
// has it.
type Rule struct {
	ID      string `json:"rule_id"`
	Matched string `json:"matched_text"`
}

// The ways in which a decision is known.
const (
	Exchange   = "exchange"
	Structured = "structured"
	Gone       = "gone"
	Changed    = "changed"
)

// stored is what is needed of a node.
type stored struct {
	Score      int
	Provenance []struct {
		File string
		Line int64 `json:"line_no"`
	}
	Markers []struct {
		RuleID      string `json:"rule_id"`
		Category    string
		MatchedText string `json:"matched_text"`
	}
}

// ErrNoDecision is the error for a node that is not a decision.
var ErrNoDecision = errors.New("not a decision")

// Ask explains a decision. id may be the beginning of its id. read returns a reading of some
// transcripts; it is called at most once, and not for a decision of a dialog or of a teammate.
// The error is [ErrNoDecision] for another node, and a nodedb.ErrNode for an id that begins
// none.
func Ask(ctx context.Context, db *nodedb.Reader, id string, p *source.Privacy, read func(files []string) *source.Reading) (x Explanation, err error) {
	id, err = db.NodeID(ctx, id)
	if err != nil {
		return x, err
	}
	n, _, err := db.Node(ctx, id)
	if err != nil {
		return x, err
	}
	var s stored
	if err := json.Unmarshal(n.JSON, &s); err != nil {
		return x, fmt.Errorf("read node %s: %w", id, err)
	}
	if n.Kind != "decision" || len(s.Provenance) == 0 {
		return x, fmt.Errorf("%s: %w", id, ErrNoDecision)
	}
	last := s.Provenance[len(s.Provenance)-1]
	x = Explanation{
		ID: id, Title: n.Title, Score: s.Score, Certain: s.Score >= decide.Sure, Source: string(n.Source), SessionID: n.Session,
		Timestamp: n.Timestamp, File: last.File, Line: last.Line, Epitome: n.Text,
	}
	for _, m := range s.Markers {
		x.Rules = append(x.Rules, Rule{m.RuleID, m.MatchedText})
		if m.Category == "structured_choice" {
			x.How, x.Certain = Structured, true
		}
	}
	if x.How == Structured {
		return x, nil
	}
	files := s.files()
	if n.Mark.Shared != nil || slices.ContainsFunc(files, isGone) {
		x.How = Gone
		return x, nil
	}
	return x, x.judge(ctx, p, read(files))
}

// files returns the transcripts that a node comes from, each once. Of a file within an archive
// (a.tar.gz!/x.jsonl) it is the archive.
func (s *stored) files() (files []string) {
	for _, at := range s.Provenance {
		name, _, _ := strings.Cut(at.File, "!/") // a file within an archive
		if !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}

// isGone reports whether there is no file at the path of a transcript: nothing, or a pipe, a
// device or a folder, from which reading might never end.
func isGone(path string) bool {
	info, err := os.Stat(path)
	return err != nil || !info.Mode().IsRegular()
}

// judge reads the transcripts and lists the evidence. The exchange is weighed twice: as it is,
// for the weights, and redacted, for what may be shown.
func (x *Explanation) judge(ctx context.Context, p *source.Privacy, r *source.Reading) error {
	var in decide.Input
	found := false
	if err := r.Exchanges(ctx, func(id string, heard decide.Input) {
		if id == x.ID {
			in, found = heard, true
		}
	}); err != nil {
		return err
	}
	if x.How = Exchange; !found {
		x.How = Changed
		return nil
	}
	clean := in
	if !p.NoRedact {
		engine, err := redact.New(p.Rules.Redaction)
		if err != nil {
			return err
		}
		for _, text := range []*string{&clean.Text, &clean.PrevAssistant, &clean.Reply} {
			b, _, err := engine.Scrub(core.TextField, []byte(*text))
			if err != nil {
				return err
			}
			*text = string(b)
		}
	}
	return x.weigh(p.Rules.Gate, in, clean)
}

// weigh lists the evidence of an exchange. clean is the same exchange after redaction: a
// feature that only the original has could show a secret, so it is listed without its name.
func (x *Explanation) weigh(rules *gate.Rules, in, clean decide.Input) (err error) {
	if rules == nil {
		if rules, err = gate.New(lexicon.Standard()); err != nil {
			return err
		}
	}
	model, err := decide.Model()
	if err != nil {
		return err
	}
	judge := decide.NewJudge(rules, model, decide.Threshold)
	visible := judge.Explain(clean)
	named := map[string]bool{}
	for _, t := range visible.Terms {
		named[t.Feature] = true
	}
	for _, t := range judge.Explain(in).Terms {
		p := Piece{Weight: float64(t.Weight) / 1000, From: from(t.Feature)}
		if named[t.Feature] {
			p.Feature, p.Says = t.Feature, inWords(t.Feature)
		}
		x.Evidence = append(x.Evidence, p)
	}
	return nil
}
