package answers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/memscribe/memscribe/internal/app/explain"
)

// mostPieces is how many pieces of evidence are shown of each part of an exchange.
const mostPieces = 8

// Explanation writes how a decision came to its score, as a text or as an object of JSON.
func Explanation(w io.Writer, x explain.Explanation, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(x)
	}
	p := &printer{w: w}
	p.f("%s\n  score %d%s · %s · %s · %s\n", x.Title, x.Score, certain(x.Certain), x.Source, day(x.Timestamp), place(&x))
	switch x.How {
	case explain.Structured:
		p.f("\nIt was chosen or answered in a dialog of the tool, which counts as certain.\n")
	case explain.Gone:
		p.f("\nThe transcript does not exist here. The rules that matched:\n")
	case explain.Changed:
		p.f("\nThe transcript does not give this decision any more. The rules that matched:\n")
	case explain.Exchange:
		p.f("\nThe words that decide: %s\n", x.Epitome)
		p.evidence(x.Evidence)
		p.f("\nrules that matched\n")
	}
	for _, r := range x.Rules {
		p.f("  %-18s %s\n", r.ID, r.Matched)
	}
	return p.err
}

// evidence writes the evidence, part by part.
func (p *printer) evidence(all []explain.Piece) {
	headings := map[string]string{
		explain.Turn: "what the person wrote", explain.Before: "what the agent had said before",
		explain.Reply: "what the agent replied", explain.Edits: "whether an edit followed",
	}
	for _, part := range explain.Parts(all) {
		p.f("\n%+6.2f  %s\n", part.Weight, headings[part.Name])
		rest := part.Weight
		for _, e := range part.Pieces[:min(mostPieces, len(part.Pieces))] {
			p.f("    %+6.2f  %s\n", e.Weight, cmp.Or(e.Says, "(removed)"))
			rest -= e.Weight
		}
		if more := len(part.Pieces) - mostPieces; more > 0 {
			p.f("    %+6.2f  %d more\n", rest, more)
		}
	}
}

// certain marks a decision that rules and check rely on.
func certain(is bool) string {
	if is {
		return " (certain)"
	}
	return ""
}

// place returns where a decision is in its transcript.
func place(x *explain.Explanation) string {
	if x.Line == 0 {
		return x.File
	}
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}
