package naming

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/prose"
)

// manner is how a word forbids. None of them forbids by itself: "do not" also
// complains, "no" also answers. What stands around the word tells, and how much, a
// model says. Words are in lower case; those of scripts without blanks match anywhere,
// others at word ends.
type manner struct {
	name  string
	words string // separated by bars
}

func manners() []manner {
	return []manner{
		{"strictly", "never|under no circumstances|on no account|absolutely not|definitely not|certainly not|is forbidden|are forbidden|is prohibited|are prohibited|banned|is off limits|off the table|out of the question|a no-go|not an option|no place in|nobody may|no one may|not be accepted|not allowed to|must not|mustn't|may not|must never|" +
			"ne doit pas|ne doivent pas|ne dois pas|ne doit plus|ne dois plus|interdit|interdite|jamais|en aucun cas|il ne faut pas|il faut pas|no debe|no deben|no debes|nunca|jamás|jamas|prohibido|prohibida|bajo ningún concepto|não deve|não devem|nao deve|nao devem|proibido|proibida|de jeito nenhum|em hipótese alguma|" +
			"darf nicht|dürfen nicht|darf kein|darf keine|auf keinen fall|niemals|verboten|tabu|non deve|non devono|vietato|нельзя|никогда не|ни в коем случае|запрещ|" +
			"禁止|严禁|嚴禁|切勿|千万别|千万不要|不准|不允许|不許|不许|绝对不|絕對不|不得|绝不|てはいけ|てはなら|てはだめ|ちゃだめ|ちゃダメ|ダメ|勝手に|厳禁|금지|면 안|절대"},
		{"refused", "won't|wont|will not|not going to"},
		{"told", "don't ever|don't|do not|dont|donot|don t|don`t|don´t|dnt|hands off|stay away from|stay out of|refrain from|not to touch|" +
			"bitte nicht|bitte keine|bitte kein|ne jamais|pas toucher|surtout pas|touche pas|fais pas|utilise pas|mets pas|ajoute pas|change pas|modifie pas|crée pas|supprime pas|lance pas|commit pas|" +
			"不要|别|勿|ないで|ないように|ないこと|しない。|するな|せず|いじらない|触らない|지 마|지마|지 말|지말|지는 마|지는 말|지도 마|지도 말|진 마|진 말"},
		{"unwanted", "don't want|do not want|dont want|didn't want|don't like|no quiero|no queremos|ne veux pas|veux pas|ne veux plus|voulais pas|não quero|nao quero|não queremos|не хочу|не хотим|will nicht|wollen nicht|möchte nicht|will kein|will keine|will keinen|möchte keine|möchte kein|non voglio|不想|不希望|いらない|要らない"},
		{"none", "no|zero|without|sans|sem|sin|ohne|без|никаких|pas de|pas d'|plus de|nada de|ningún|ninguna|nenhum|nenhuma|kein|keine|keinen|senza|niente|なしで|なしに|抜きで|없이"},
		{"unable", "cannot|can't|can not|cant|no puede|no puedes|no podemos|no se puede|não podemos|não pode|não podem|nao pode|не может|не могут|ne peut pas|ne peuvent pas|kann nicht|können nicht|不能|不可以|不可|できない|안 돼|안돼|안 되|안되"},
		{"advised", "should not|shouldn't|shouldnt|shall not|не должен|не должна|не должно|не должны|sollte nicht|soll nicht|sollen nicht|sollten nicht|no debería|não deveria|ne devrait pas|不应该|不应|不該|不该|不应当|べきではない|べきじゃない|지 않게|지 않도록|못하게|못 하게"},
		{"avoided", "avoid|stop|évite|éviter|évitez|evita|evitar|evite|vermeide|vermeiden|arrête|arrêter|deja de|para de|pare de|hör auf|избегай|избегайте|хватит|перестань|прекрати|避免|停止|やめ|控えて|避けて|자제|피해"},
		{"needless", "don't need|do not need|dont need|doesn't need|no need|not necessary|not needed|не нужно|не надо|не нужен|не нужна|не нужны|no hace falta|no es necesario|pas besoin|não precisa|não é necessário|nicht nötig|brauchst nicht|不需要|不用|不必|无需|は不要|必要ない|必要はない|なくていい|なくてよい|なくて良い|필요 없|필요없|필요는 없|안 해도|않아도"},
		{confines, "only|just|nothing else|uniquement|seulement|solo|só|somente|apenas|nur|только|只|だけ|만 "},
	}
}

// confines is the manner of words that limit what is done, and forbid nothing alone.
const confines = "confined"

// Forbidding finds the words by which a sentence may forbid something. It does not change, and
// serves any number of goroutines.
type Forbidding struct {
	manners []string // by piece
	words   *ahocorasick.Automaton
}

// NewForbidding returns a Forbidding.
func NewForbidding() *Forbidding {
	f := &Forbidding{}
	var pieces []string
	for _, m := range manners() {
		for w := range strings.SplitSeq(m.words, "|") {
			f.manners, pieces = append(f.manners, m.name), append(pieces, w)
		}
	}
	f.words = ahocorasick.New(pieces)
	return f
}

// forbids is a place at which a sentence may forbid something.
type forbids struct {
	prose.Span
	manner string
}

// Signs adds what speaks for and against that a sentence forbids something: the words that
// forbid, where they stand, what they are about, and what weakens them. It adds nothing, and
// returns false, if no word forbids. Group names the languages that the sentence may be in: "en", "eu"…
// For "Never log the token." it adds "ban strictly", "ban strictly first" and
// others; ExampleForbidding_Signs shows them all.
func (f *Forbidding) Signs(sentence, group string, add func(parts ...string)) bool {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	low := lower(sentence)
	found, confined := f.find(low, group)
	if len(found) == 0 {
		return false
	}
	add("ban in ", group)
	for _, h := range found {
		f.place(low, h, group, add)
		add("ban ", h.manner)
		add("ban ", h.manner, " in ", group)
		if w := sentence[h.Start:h.End]; strings.Contains(w, "NOT") || strings.Contains(w, "NEVER") || w == "NO" {
			add("ban loud")
		}
	}
	first, rest := low[:found[0].Start], low[found[0].End:]
	for _, s := range [...]struct {
		has  bool
		name string
	}{
		{confined, "confines"},
		{len(found) > 1, "twice"},
		{endsAsking(low), "asks"},
		{said(first, "if", "when", "because", "since", "whether", "quand", "si", "cuando", "se", "wenn", "если", "如果", "当", "因为", "場合", "なら"), "under a condition"},
		{said(rest, "but", "instead", "rather", "use", "let's", "mais", "pero", "mas", "aber", "sondern", "而是", "改成", "用", "就"), "goes on"},
		{said(rest, "any", "anything", "all", "every", "at all", "ever", "nothing", "nada", "rien", "任何", "所有", "一切"), "means all"},
		{said(low, "yet", "for now", "right now", "anymore", "any more", "unless", "until", "先", "暂时", "まだ", "por enquanto", "pour l'instant"), "for a time"},
		{said(low, "error", "failed", "warning", "exception", "not found", "错误", "ошибк", "エラー"), "reports"},
		{named(rest), "names"},
		{saidIn(first, "改为", "改成", "换成", "使用", "而是"), "contrasts"},
	} {
		if s.has {
			add("ban ", s.name)
		}
	}
	n := countWords(sentence)
	long := "0"
	for k, most := range [...]int{4, 8, 14, 25, 50} {
		if n > most {
			long = string(rune('1' + k))
		}
	}
	add("ban words ", long)
	return true
}

// find returns where a sentence in lower case may forbid, by place and none within another,
// and whether a word confines.
func (f *Forbidding) find(low, group string) (found []forbids, confined bool) {
	f.words.Find([]byte(low), func(w int32, end int) {
		start := end - f.words.Len(w)
		switch {
		case !bounded(low, start, end) || withinWord(low, low[start:end], start, end):
		case f.manners[w] == confines:
			confined = true
		default:
			found = append(found, forbids{prose.Span{Start: start, End: end}, f.manners[w]})
		}
	})
	found = inflected(low, group, found)
	slices.SortFunc(found, func(a, b forbids) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	end := -1
	return slices.DeleteFunc(found, func(h forbids) bool {
		if h.End <= end {
			return true
		}
		end = h.End
		return false
	}), confined
}

// withinWord reports whether a word that would forbid is part of another there, in a script without blanks: "特别", "要不要", "페이지 마다".
func withinWord(low, word string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(low[:start])
	after, _ := utf8.DecodeRuneInString(low[end:])
	switch word {
	case "别":
		return strings.ContainsRune("特分区级类识性个辨鉴差派告", before) || strings.ContainsRune("的人名处墅致", after)
	case "不要", "不能", "不用", "不可":
		return strings.HasPrefix(word, "不"+string(before)) || strings.ContainsRune("不紧", after) && word != "不要" || word == "不可" && strings.ContainsRune("能用见靠控逆变", after)
	case "不得":
		return strings.ContainsRune("舍巴怪恨", before) || strings.ContainsRune("不了已", after)
	case "ないで":
		return after == 'す' || after == 'し'
	case "するな":
		return strings.ContainsRune("らどの", after)
	case "지 마", "지마", "진 마":
		return strings.ContainsRune("이까", before) || !strings.ContainsRune("라세십요시!.,~ㅋㅠ)\n \uFFFD", after)
	case "지 말", "지말", "진 말":
		return strings.ContainsRune("시미까", before) || !strings.ContainsRune("고아자라것도았길고구 \uFFFD", after)
	case "면 안":
		return !strings.ContainsRune("돼되됩된될 ", after)
	}
	return false
}

// Excused reports whether what looks like a ban is none: it permits, consoles, asks, says what has to be, or
// wants something away that is there.
func Excused(sentence string) bool {
	low := lower(sentence)
	for _, w := range [...]string{
		"worry", "preocup", "inquiè", "keine sorge", "волнуй", "переживай", "беспокой", "担心", "不要紧", "心配", "걱정",
		"can stop", "may stop", "not forbidden", "能不能", "可不可以", "不要了", "なければ", "なきゃ", "ないといけ", "ないとだめ",
	} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// inflected adds what a language forbids by the form of a verb: "no uses", "n'utilise pas",
// "не трогай", "nicht ändern".
func inflected(low, group string, found []forbids) []forbids {
	if group != "eu" && group != "ru" && group != "en" {
		return found
	}
	words := wordsOf(low)
	at := func(k int) string {
		if k < len(words) {
			return words[k].In(low)
		}
		return ""
	}
	for k := range words {
		w, next, last := at(k), at(k+1), -1
		switch {
		case w == "no" || w == "não" || w == "nao" || w == "non":
			to := k + 1
			for isClitic(at(to)) {
				to++
			}
			if told := at(to); isToldOff(told) || group == "eu" && w == "no" && len(told) > 3 && (strings.HasSuffix(told, "es") || strings.HasSuffix(told, "as")) {
				last = to
			}
		case w == "не" && imperative(next):
			last = k + 1
		case w == "ne" && (next == "pas" || next == "plus" || next == "jamais"):
			last = k + 1
		case w == "ne" && (negates(at(k+2)) || negates(at(k+3)) && len(next) <= 3):
			last = k + 2
		case strings.HasPrefix(w, "n'") && negates(next):
			last = k + 1
		case group != "en" && w == "nicht" && len(next) > 4 && strings.HasSuffix(next, "en"):
			last = k + 1
		case group != "en" && isOrder(w) && (slices.Contains(wordsIn(low, words, k+1, k+7), "nicht") || slices.ContainsFunc(wordsIn(low, words, k+1, k+5), func(w string) bool { return strings.HasPrefix(w, "kein") })):
			last = k
		case w == "leave" && slices.ContainsFunc(wordsIn(low, words, k+2, k+9), func(w string) bool { return w == "alone" || w == "untouched" || w == "intact" }):
			last = k
		}
		if last > 0 && last < len(words) {
			found = append(found, forbids{prose.Span{Start: words[k].Start, End: words[last].End}, "told"})
		}
	}
	return found
}

// wordsIn are some of the words of a text.
func wordsIn(low string, words []prose.Span, from, to int) []string {
	var out []string
	for k := from; k < min(to, len(words)); k++ {
		out = append(out, words[k].In(low))
	}
	return out
}

// isClitic reports whether a word may stand between a Romance negation and its verb.
func isClitic(w string) bool {
	switch w {
	case "me", "te", "se", "lo", "la", "los", "las", "le", "les", "nos", "o", "a", "os", "as", "mi", "ti", "ci", "li":
		return true
	}
	return false
}

// isToldOff reports whether a word is a verb of Spanish, Portuguese or Italian in the form in which it is forbidden.
func isToldOff(w string) bool {
	const all = " uses use usen usemos utilices utilice utilicen toques toque toquen modifiques modifique modifiquen cambies cambie cambien borres borre borren elimines elimine eliminen " +
		"agregues agregue agreguen añadas añada crees cree creen hagas haga hagan hagamos pongas ponga pongan quites quite quiten metas meta subas suba ejecutes ejecute ejecuten instales instale actualices escribas escriba " +
		"muevas mueva renombres reescribas rompas rompa inventes invente generes genere commitees commitear hardcodees copies copie dupliques duplique muestres muestre envíes envie guardes guarde llames llame dejes deje toquemos " +
		"mexa mexas mexer altere alteres alterar mude mudes mudar apague apagues apagar crie crias criem remova removas remover exclua excluir delete deletar coloque coloques colocar faça faças faca fazer adicione adicionar inclua incluir rode rodar execute executar " +
		"suba subir escreva escrever mova mover renomeie quebre gere gerar duplique salve envie mostre exiba commite commitar instalar usar modificar tocar crear cambiar borrar eliminar agregar añadir " +
		"usare toccare modificare cambiare cancellare creare aggiungere fare mettere rimuovere eseguire installare scrivere inventare "
	return w != "" && strings.Contains(all, " "+w+" ")
}

// isOrder reports whether a word is a German verb that orders.
func isOrder(w string) bool {
	const all = " ändere ändre lösche benutze nutze verwende mach mache füge fass fasse rühr schreib schreibe nimm lass erstelle installiere committe commite pushe bau baue setz setze leg lege ruf rufe starte entferne verschiebe überschreibe teste führe "
	return w != "" && strings.Contains(all, " "+w+" ")
}

// imperative reports whether a Russian word looks like a verb that orders, or is an infinitive.
func imperative(w string) bool {
	const others = " или и ли если очень есть здесь теперь только опять пусть при три они мы будь суть часть менять день видеть слышать знать понять "
	if len(w) < 6 || strings.Contains(others, " "+w+" ") {
		return false
	}
	return slices.ContainsFunc([]string{"й", "йте", "ть", "ти", "иши", "ите", "ави", "оси", "ьте", "йся", "езь", "реби", "ери", "оди", "учи", "режь"},
		func(end string) bool { return strings.HasSuffix(w, end) })
}

// negates reports whether a French word ends a negation.
func negates(w string) bool {
	return w == "pas" || w == "plus" || w == "rien" || w == "jamais" || w == "aucun" || w == "aucune"
}

// wordsOf are the words of a text in which there are blanks between words.
func wordsOf(low string) []prose.Span {
	var out []prose.Span
	from := -1
	for i, r := range low {
		if in := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '_' || r == '-'; in && from < 0 {
			from = i
		} else if !in && from >= 0 {
			out, from = append(out, prose.Span{Start: from, End: i}), -1
		}
	}
	if from >= 0 {
		out = append(out, prose.Span{Start: from, End: len(low)})
	}
	return out
}

// place adds where a forbidding word stands and what it is about.
func (f *Forbidding) place(low string, h forbids, group string, add func(parts ...string)) {
	before := strings.TrimRight(low[:h.Start], " ")
	last := before[strings.LastIndexAny(before, " \n")+1:]
	where := " within"
	if before == "" || strings.HasSuffix(strings.TrimLeft(before, " \n"), "\n") || opening(last) {
		where = " first"
	}
	add("ban ", h.manner, where)
	if group != "en" {
		if closesWith(low[h.End:]) {
			add("ban ", h.manner, " last in ", group)
		}
		does := doing(low, h, group)
		add("ban to", does)
		add("ban ", h.manner, " to", does)
		return
	}
	switch last {
	case "i", "it", "that", "which", "they", "he", "this", "there", "who", "still", "users", "user":
		add("ban said of others")
		add("ban ", h.manner, " said of others")
	case "you", "we", "please":
		add("ban ", h.manner, " said to you")
	}
	next := ""
	if words := wordsOf(low[h.End:min(len(low), h.End+80)]); len(words) > 0 {
		next = words[0].In(low[h.End:])
	}
	switch h.manner {
	case "none":
		if strings.HasSuffix(next, "s") {
			add("ban none of many")
		} else {
			add("ban none of one")
		}
	case "told", "strictly", "refused", "advised", "unable", "avoided":
		does := " other"
		switch {
		case touches(next), touches(strings.TrimSuffix(next, "ing")), touches(strings.TrimSuffix(next, "ing") + "e"):
			does = " touch"
		case feels(next):
			does = " feel"
		}
		add("ban to", does)
		add("ban ", h.manner, " to", does)
	}
}

// closesWith reports whether what follows a word that forbids is the end of its clause, but for a few signs.
func closesWith(rest string) bool {
	const ending = 4
	n := 0
	for _, r := range rest {
		switch {
		case !unicode.IsLetter(r) && r != ' ':
			return true
		case n == ending:
			return false
		}
		n++
	}
	return true
}

// doing says what the verb does that a word forbids: " touch" if it does something to a thing, " feel" if it is one of
// being or working. In Japanese and Korean it stands before the word, elsewhere behind it.
func doing(low string, h forbids, group string) string {
	const window = 30
	from, to := max(0, h.Start-window), min(len(low), h.End+window)
	if group == "ja" || group == "ko" {
		to = h.End
	} else if group != "eu" {
		from = h.Start
	}
	begins, around := "", low[from:to]
	if group == "eu" || group == "ru" { // scripts with blanks between words
		begins, around = " ", " "+strings.NewReplacer("'", " ", "\n", " ", ",", " ").Replace(around)
	}
	for _, w := range feeling(group) {
		if strings.Contains(around, begins+w) {
			return " feel"
		}
	}
	for _, w := range touching(group) {
		if strings.Contains(around, begins+w) {
			return " touch"
		}
	}
	return " other"
}

// touching are the beginnings of verbs of doing something to a thing, by group of languages.
func touching(group string) []string {
	var all string
	switch group {
	case "zh":
		all = "改|动|碰|删|加|用|写|提交|推送|创建|新建|新增|调用|执行|运行|安装|引入|依赖|生成|覆盖|移动|重构|硬编码|添加|放|存|保留|做|搞|开|猜|编造|破坏|影响|跳过"
	case "ja":
		all = "変更|変え|削除|消さ|消し|追加|使わ|使用|触ら|触っ|いじ|書か|書き|コミット|プッシュ|作ら|作成|実行|入れ|インストール|呼ば|移動|直さ|修正|編集|生成|依存|上書き|出力|含め|保存|推測"
	case "ko":
		all = "바꾸|변경|수정|건드|삭제|지우|추가|쓰|사용|넣|만들|커밋|푸시|실행|설치|돌리|호출|옮기|고치|생성|덮어|저장|출력|하지|작성|배포|손대"
	case "ru":
		all = "трога|меня|измен|удал|добав|использ|пиши|писа|созда|комм|пуш|запуск|став|дела|лом|лез|прав|удаляй|ставь|хардкод|выдум|редактир|перепис|двига|вставл|убира|пере"
	default:
		all = "toc|toq|us|utili|modif|cambi|chang|borr|elimin|supprim|agreg|añad|ajout|cre|cré|hag|fais|fair|pon|met|ejecut|exec|instal|escrib|écri|mex|alter|mud|apag|cri|remov|faça|coloc|coloq|adicion|inclu|änder|lösch|nutz|verwend|fass|rühr|schreib|erstell|commit|push|lanc|lance|invent|gener|génér"
	}
	return strings.Split(all, "|")
}

// feeling are the beginnings of verbs of being and working, by group of languages.
func feeling(group string) []string {
	var all string
	switch group {
	case "zh":
		all = "显示不|工作|生效|知道|明白|理解|成功|忘|急|客气|怕|慌|对|行|了吗|确定"
	case "ja":
		all = "動か|動作し|反映さ|表示され|起動し|機能し|見え|わから|分から|でき|消え|出な|変わら"
	case "ko":
		all = "동작|작동|되지|보이|나오|뜨지|모르|알지|없|잊|걱정|나지|맞지|열리|적용되"
	case "ru":
		all = "работа|отобража|показыва|видеть|понима|открыва|забы|знаю|получа|быть"
	default:
		all = "funcion|marche|fonctionn|aparec|funktion|geht|affich|carg|oubli|olvid|oublie|esqueç|hésit|comprend|entien|abre|sais|está|estão|são|vergiss|wird|puede|pode|peut|kann"
	}
	return strings.Split(all, "|")
}

// opening reports whether the word before opens a clause.
func opening(last string) bool {
	end, _ := utf8.DecodeLastRuneInString(last)
	if strings.ContainsRune(",.;:!-—–、，。；：*(`", end) {
		return true
	}
	switch last {
	case "please", "and", "so", "but", "just", "also", "then", "now", "ok", "okay", "first", "again", "pls", "et", "e", "y", "und", "и", "а":
		return true
	}
	return false
}

// touches reports whether an English verb is one of doing something to a thing.
func touches(verb string) bool {
	switch verb {
	case "change", "modify", "touch", "call", "edit", "delete", "remove", "run", "commit", "push", "use", "rely", "create", "add", "make", "move", "mock", "pull",
		"build", "batch", "inspect", "log", "write", "rename", "resize", "overwrite", "install", "refactor", "implement", "include", "alter", "do", "execute", "expose", "store",
		"send", "generate", "copy", "start", "deploy", "introduce", "hardcode", "invent", "put", "go", "mix", "skip", "auto-commit", "auto",
		"access", "print", "stash", "spawn", "pollute", "rewrite", "merge", "release", "publish", "reformat", "format", "upgrade", "update", "downgrade", "import", "export",
		"depend", "assume", "guess", "mention", "fetch", "download", "upload", "open", "wrap", "block", "cache", "retry", "throw", "catch", "swallow", "return", "duplicate",
		"squash", "rebase", "force", "amend", "revert", "drop", "truncate", "bypass", "disable", "enable", "ask", "prompt", "split", "inline", "replace", "restart",
		"apply", "bump", "embed", "emit", "hard-code", "insert", "kill", "link", "load", "mutate", "nest", "parse", "patch", "persist", "query", "reuse", "save", "scan", "set", "share",
		"swap", "switch", "tag", "test", "trust", "try", "wipe":
		return true
	}
	return false
}

// feels reports whether an English verb is one of being, knowing or wanting.
func feels(verb string) bool {
	switch verb {
	case "need", "know", "want", "have", "think", "care", "see", "like", "forget", "worry", "bother", "get", "let", "understand", "expect", "believe", "even", "mind", "be", "exist",
		"work", "show", "display", "match", "seem", "really", "actually", "always", "just", "feel", "find", "give", "tell", "allow", "lose", "appear", "mean", "break":
		return true
	}
	return false
}

// endsAsking reports whether a sentence ends as a question does.
func endsAsking(low string) bool {
	low = strings.TrimRight(low, " \"')")
	return strings.HasSuffix(low, "?") || strings.HasSuffix(low, "？")
}

// said reports whether a text in lower case has one of some words.
func said(low string, words ...string) bool {
	for _, w := range words {
		for from := 0; ; {
			k := strings.Index(low[from:], w)
			if k < 0 {
				break
			}
			if bounded(low, from+k, from+k+len(w)) {
				return true
			}
			from += k + len(w)
		}
	}
	return false
}

// saidIn reports whether a text in lower case has one of some words, also within others.
func saidIn(low string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) })
}

// named reports whether a text has a name with a mark within: a path, a file, code.
func named(s string) bool {
	for i := 1; i < len(s); i++ {
		switch s[i-1] {
		case '`', '/', '.', '_':
			if isLetter(s[i]) {
				return true
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
