package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// The languages without a table have the words of assent: what a short answer accepts is
// told by them, and by nothing that could be learnt from a few hundred turns.

// Russian is the table of Russian words of assent.
func Russian() gate.Table {
	return gate.Table{
		Lang: "ru", Signs: words(`и в не на что это как для с по но я мы из то же так`),
		Rules: []gate.Rule{
			rule("ru.option", gate.ActOption, core.DecisionVerb, gate.Strong, "вариант|варианту|вариантом|пункт @num|a|b|c|d").Shows("давай вариант 2", ""),
			rule("ru.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ да|давай|давайте|действуй|внедряй|исправляй|делай|подтверждаю|согласен|согласна|хорошо|верно|конечно|поехали|принято").
				Shows("Да, делай", "не надо"),
		},
	}
}

// Korean is the table of Korean words of assent.
func Korean() gate.Table {
	return gate.Table{
		Lang: "ko",
		Rules: []gate.Rule{
			rule("ko.option", gate.ActOption, core.DecisionVerb, gate.Strong, "방법|옵션|방안|안|번|번으로|번째 @num|a|b|c|d", "@num|a|b|c|d 번|번으로|안으로|안|방법|옵션").Shows("방법 2 로 하자", ""),
			rule("ko.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ 네|예|좋아|좋아요|좋습니다|그래|그렇게|진행해|진행해줘|승인|동의").Shows("네", "아니요"),
		},
	}
}

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
