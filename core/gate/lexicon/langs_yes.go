package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// A language without a table has the words of assent: what a short answer accepts is
// told by them, and by nothing that could be learnt from a few hundred turns.

// Italian is the table of Italian words of assent.
func Italian() gate.Table {
	return gate.Table{
		Lang: "it", Signs: words(`il lo gli di che è un una per non con del della sono come più questo nel`),
		Rules: []gate.Rule{
			rule("it.option", gate.ActOption, core.DecisionVerb, gate.Strong, "opzione|proposta|soluzione @num|a|b|c|d").Shows("prendi la opzione 2 per il test", ""),
			rule("it.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ sì|procedi|va_bene|perfetto|d'accordo|fallo|certo|esatto|vai").Shows("Sì, procedi", ""),
		},
	}
}
