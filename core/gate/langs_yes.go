package gate

import "github.com/memscribe/memscribe/core"

// The languages without a table have the words of assent: what a short answer accepts is
// told by them, and by nothing that could be learnt from a few hundred turns.

// Russian is the table of Russian words of assent.
func Russian() Table {
	return Table{
		Lang: "ru", Signs: words(`и в не на что это как для с по но я мы из то же так`),
		Rules: []Rule{
			rule("ru.yes", ActYes, core.Confirmation, Hint, "^ да|давай|давайте|действуй|внедряй|исправляй|делай|подтверждаю|согласен|согласна|хорошо|верно|конечно|поехали|принято").
				shows("Да, делай", "не надо"),
		},
	}
}

// Korean is the table of Korean words of assent.
func Korean() Table {
	return Table{
		Lang: "ko",
		Rules: []Rule{
			rule("ko.yes", ActYes, core.Confirmation, Hint, "^ 네|예|좋아|좋아요|좋습니다|그래|그렇게|진행해|진행해줘|승인|동의").shows("네", "아니요"),
		},
	}
}

// Italian is the table of Italian words of assent.
func Italian() Table {
	return Table{
		Lang: "it", Signs: words(`il lo gli di che è un una per non con del della sono come più questo nel`),
		Rules: []Rule{
			rule("it.yes", ActYes, core.Confirmation, Hint, "^ sì|procedi|va_bene|perfetto|d'accordo|fallo|certo|esatto|vai").shows("Sì, procedi", ""),
		},
	}
}
