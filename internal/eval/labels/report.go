package labels

import (
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
)

// Write prints the report: every figure, and every error with its text and what
// spoke for and against it.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	r.Figures(&b)
	table(&b, "category", "marked", r.Categories)
	table(&b, "rule", "marked", r.Rules)
	for _, list := range []struct {
		title    string
		outcomes []Outcome
	}{{"taken for decisions, but are not", r.Wrong}, {"decisions that were missed", r.Missed}} {
		fmt.Fprintf(&b, "\n## %s: %d\n", list.title, len(list.outcomes))
		for i := range list.outcomes {
			list.outcomes[i].explain(&b)
		}
	}
	fmt.Fprintf(&b, "\n## another sentence than the labelled one: %d\n", len(r.Misplaced))
	for i := range r.Misplaced {
		o := &r.Misplaced[i]
		fmt.Fprintf(&b, "\n%s %s\n  labelled %q\n  found %q\n", o.ID, o.Label, o.Epitome, o.epitomes())
	}
	fmt.Fprintf(&b, "\n## the flag of a ban wrong: %d\n", len(r.Misflagged))
	for i := range r.Misflagged {
		o := &r.Misflagged[i]
		fmt.Fprintf(&b, "\n%s %s, labelled a ban: %v\n  %q\n", o.ID, o.Label, o.IsBan, o.Text)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Figures writes the figures as Markdown.
func (r *Report) Figures(b *strings.Builder) {
	fmt.Fprintf(b, "| turns: %d | share | of | 95 %% |\n|---|--:|--:|--:|\n", r.Turns)
	r.Overall.rows(b, "decisions")
	for _, x := range r.Found {
		x.Share.row(b, "found: `"+x.Name+"`")
	}
	for _, x := range r.Taken {
		x.Share.row(b, "taken: `"+x.Name+"`")
	}
	for _, l := range r.Languages {
		l.rows(b, "language "+l.Name)
	}
	for _, x := range []Row{
		{"epitome has the labelled sentence", r.Epitome},
		{"epitome is the labelled sentence", r.EpitomeSame},
		{"labelled options named, mark right", r.Options},
		{"all labelled options of a decision named, mark right", r.Complete},
		{"named options labelled, mark right", r.Named},
		{"turns flagged as a ban are labelled so", r.Ban},
		{"labelled bans flagged", r.BanAll},
		{"standing or not as labelled", r.Standing},
		{"kind as labelled", r.Kind},
	} {
		x.Share.row(b, x.Name)
	}
	table(b, "kind", "taken", r.Kinds)
}

// table writes scores by name.
func table(b *strings.Builder, title, count string, rows []ScoreRow) {
	fmt.Fprintf(b, "\n| %s | %s | precision | 95 %% | recall | 95 %% | F1 | 95 %% |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", title, count)
	for _, x := range rows {
		fmt.Fprintf(b, "| `%s` | %d | %s | %s | %s | %s | %s | %s–%s |\n", x.Name, x.Precision.All, percent(x.Precision.Value()), x.Precision.interval(),
			percent(x.Recall.Value()), x.Recall.interval(), percent(x.F1), percent(x.Low), percent(x.High))
	}
}

// rows writes precision, recall and F1 as rows of a table.
func (s Score) rows(b *strings.Builder, name string) {
	s.Precision.row(b, name+": precision")
	s.Recall.row(b, name+": recall")
	fmt.Fprintf(b, "| %s: F1 | %s | | %s–%s |\n", name, percent(s.F1), percent(s.Low), percent(s.High))
}

// row writes a share as a row of a table.
func (s Share) row(b *strings.Builder, name string) {
	fmt.Fprintf(b, "| %s | %s | %d/%d | %s |\n", name, percent(s.Value()), s.Of, s.All, s.interval())
}

// interval returns the 95 % interval.
func (s Share) interval() string { return percent(s.Low) + "–" + percent(s.High) }

// percent returns a share in percent.
func percent(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

// explain writes an error: the turn, and the sentence that speaks most for a
// decision with its heaviest terms.
func (o *Outcome) explain(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s %s, taken for %s (%d)\n  %q\n", o.ID, o.Label, o.Verdict.Kind, o.Verdict.Score, o.Text)
	fmt.Fprintf(b, "  %q:", o.Why.Sentence)
	for _, t := range o.terms() {
		fmt.Fprintf(b, " %s %+d;", t.Feature, t.Weight)
	}
	b.WriteByte('\n')
}

// terms returns the heaviest terms of what speaks for and against a decision.
func (o *Outcome) terms() []decide.Term {
	const most = 10
	return o.Why.Terms[:min(most, len(o.Why.Terms))]
}

// epitomes returns the epitomes of all decisions of the turn.
func (o *Outcome) epitomes() []string {
	out := []string{}
	for i := range o.Verdict.Decisions {
		out = append(out, o.Verdict.Decisions[i].Epitome)
	}
	return out
}
