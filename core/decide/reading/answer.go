package reading

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/decide/options"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// Proposal is what the assistant put up for a yes or no. The order is that of how much a "yes"
// then says: to a design it decides something, to an errand it starts something, to nothing it
// is a courtesy.
type Proposal uint8

// What is put up: the later, the more it says.
const (
	Nothing Proposal = iota // the message asks for no assent
	unclear                 // it asks, and does not say for what
	errand                  // something to run, check or commit
	design                  // something that shapes the product
)

// Message is what matters about the assistant's message before the turn. It holds no text: the
// spans are offsets in [Reading.Previous]. It is the zero Message for a turn that answers
// nothing.
//
//	assistant   "I can move the port to 3478, or keep 8080. Which do you prefer?"
//	                                              └── asks, Choice; question ──┘
//	person      "3478"                            → Echo: the words are in the message
type Message struct {
	asks     bool // ends in a question
	Choice   bool // asks to choose
	Numbered bool // lists numbered or lettered options
	Echo     bool // has the turn's words in it
	Overlap  bool // asks to choose, in the turn's words
	Proposal Proposal
	Span     prose.Span // of the sentence that proposes, in the message
	question prose.Span // that asks to choose, in the message
}

const (
	// maxPrevious is how much of the assistant's message is read, from its end.
	maxPrevious = 2048
	// maxChosen is how many words a turn may have that chooses by repeating
	// what was put up.
	maxChosen = 12
	// maxShort is how many words a turn may have that answers a question
	// without a word of assent.
	maxShort = 5
)

// mayAnswer reports whether the turn may answer something: it is short, or begins with assent,
// a choice or a label.
func (r *Reading) mayAnswer() bool {
	if len(r.Turn.Sentences) == 0 {
		return false
	}
	if r.Words <= maxChosen {
		return true
	}
	for _, h := range r.Scan.Of(0) {
		if h.Family == gate.ActYes || h.Family == gate.ActAccept || h.Family == gate.ActOption {
			return true
		}
	}
	return r.Picks()
}

// readPrevious reads what the assistant proposed and asked at the end of its message, if the
// turn may answer it. Reading a message costs as much as reading the turn, so that other turns
// pay nothing.
func readPrevious(r *Reading) Message {
	var p Message
	if !r.mayAnswer() || r.Previous() == "" {
		return p
	}
	from := 0
	if over := len(r.Previous()) - maxPrevious; over > 0 {
		from = over
		for from < len(r.Previous()) && r.Previous()[from]&0xc0 == 0x80 {
			from++
		}
	}
	text := r.Previous()[from:]
	yes, accepts, _ := r.Assents()
	if yes || accepts || words.Asks(text) {
		r.listen(&p, text, from, yes || accepts)
	}
	p.Numbered = len(options.Listed(text)) >= 2
	p.Echo = r.Words <= maxShort && r.echoes(text)
	p.Overlap = p.Choice && r.Words <= maxChosen && r.repeats(p.question.In(r.Previous()))
	return p
}

// listen reads the last eight sentences of the assistant's message, which begin at byte from of
// the message: what they ask and, for a turn that assents, what they propose. A later proposal
// counts unless it says less; a question counts in any case. Code and headings are passed over.
func (r *Reading) listen(p *Message, text string, from int, assents bool) {
	const last = 8 // sentences
	turn := &r.message
	turn.ReadPlain(text)
	first := max(0, len(turn.Sentences)-last)
	var low [last]string
	var asks [last]bool
	offered := false
	for k := range low[:len(turn.Sentences)-first] {
		s := turn.Sentences[first+k].Span
		if inCode(r.Previous(), from+s.Start) {
			continue
		}
		asks[k] = asking(strings.TrimRight(s.In(text), " *_`\")"))
		p.asks = p.asks || asks[k]
		if !asks[k] && !assents || heading(s.In(text)) {
			continue
		}
		low[k] = plain(s.In(text))
		if asks[k] && choices(low[k]) {
			p.Choice, p.question = true, prose.Span{Start: from + s.Start, End: from + s.End}
		}
		if !assents || !asks[k] && !offers(low[k]) {
			low[k] = ""
		}
		offered = offered || low[k] != ""
	}
	if !offered {
		return
	}
	scan := &r.messageScan
	r.Rules.ScanTo(scan, turn, func(i int) bool { return i >= first && low[i-first] != "" })
	at := 0
	for i := first; i < len(turn.Sentences); i++ {
		if k := i - first; low[k] == "" || p.Proposal != Nothing && seconds(low[k]) {
			continue
		}
		if g := r.proposes(scan.Of(i), turn); g >= p.Proposal || asks[i-first] {
			p.Proposal, at = g, i
		}
	}
	if p.Proposal != Nothing {
		s := r.proposed(turn, at, from)
		p.Span = prose.Span{Start: from + s.Start, End: from + s.End}
	}
}

// proposed returns where a message, read from a byte on, says what sentence i of it proposes: there, or before it if it only
// asks whether to do that: in the nearest sentence that names something to make or change, else in the one right
// before. Of a list before it, or of one that it leads to, as many items as one epitome has room for.
//
//	Move the port to 3478.    ┐
//	Update nginx.conf.        ┘ is proposed
//	That is simpler.
//	Shall I proceed?
//
//	If you'd like, I can:     ┐
//	- move the port to 3478   │ is proposed
//	- update nginx.conf       ┘
func (r *Reading) proposed(turn *prose.Turn, i, from int) prose.Span {
	const most = 400 // bytes
	own := turn.Sentences[i].Span
	if end := strings.TrimRight(own.In(turn.Text), " *_"); strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：") {
		for k := i + 1; k < len(turn.Sentences) && turn.Sentences[k].Item && turn.Sentences[k].End-own.Start <= most; k++ {
			own.End = turn.Sentences[k].End
		}
		return own
	}
	low := plain(own.In(turn.Text))
	k := i - 1
	if pointsBack(low) {
		k = listBefore(turn, i)
	} else if !onlyAsks(low) {
		return own
	}
	for k >= 0 && isQuestion(turn, k) {
		k--
	}
	if k < 0 || onlyAsks(plain(turn.Sentences[k].In(turn.Text))) {
		return own
	}
	acts := r.actsBefore(turn, i, from)
	if !turn.Sentences[k].Item {
		for j := k; j >= 0; j-- {
			if acts(j) {
				k = j
				break
			}
		}
	}
	last := turn.Sentences[k]
	out := last.Span
	for k > 0 {
		before := turn.Sentences[k-1]
		if last.Item && before.Item || !last.Item && before.Paragraph == last.Paragraph && acts(k) && acts(k-1) && last.End-before.Start <= most {
			k--
			out.Start = before.Start
			continue
		}
		break
	}
	if out.End-out.Start > most {
		out.End = turn.Sentences[k].End
	}
	return out
}

// pointsBack reports whether a sentence in lower case says of what it asks for only that it was said: "Do you confirm
// these changes for the cloud?".
func pointsBack(low string) bool {
	return slices.ContainsFunc([]string{
		"these changes", "these edits", "these fixes", "these improvements", "these updates", "этих изменений", "эти изменения", "эти правки", "这些修改", "这些改动", "这些变更", "這些修改", "以上修改", "上述修改",
		"estos cambios", "essas mudanças", "essas alterações", "estas alterações", "ces modifications", "ces changements", "diese änderungen", "queste modifiche", "これらの変更", "この変更", "これらの修正",
		"이 변경", "변경사항을", "변경 사항을",
	}, func(w string) bool { return strings.Contains(low, w) })
}

// listBefore returns the last item of a list that ends shortly before sentence i, or the sentence right before.
func listBefore(turn *prose.Turn, i int) int {
	const most = 4 // sentences
	for k := i - 1; k >= max(0, i-most); k-- {
		if turn.Sentences[k].Item {
			return k
		}
	}
	return i - 1
}

// isQuestion reports whether sentence k of a message is a question.
func isQuestion(turn *prose.Turn, k int) bool {
	return asking(strings.TrimRight(turn.Sentences[k].In(turn.Text), " *_`\")"))
}

// actsBefore returns a function that reports, for the up to eight sentences before sentence
// end, whether one names something to make or change outside of code. The message begins at
// byte from.
func (r *Reading) actsBefore(turn *prose.Turn, end, from int) func(k int) bool {
	const most = 8 // sentences
	said := make([]bool, end)
	for k, n := end-1, 0; k >= 0 && n < most; k-- {
		if !inCode(r.Previous(), from+turn.Sentences[k].Start) {
			said[k] = !isQuestion(turn, k) && !remarks(turn.Sentences[k].In(turn.Text))
			n++
		}
	}
	scan := &r.messageScan
	r.Rules.ScanTo(scan, turn, func(k int) bool { return k < end && said[k] })
	return func(k int) bool {
		return slices.ContainsFunc(scan.Of(k), func(h gate.Hit) bool {
			g := words.GroupOf(h.Family)
			return g == words.Set || g == words.Build
		})
	}
}

// remarks reports whether a sentence only tells what a proposal before it does: "This keeps the
// pattern in one place."
func remarks(sentence string) bool {
	switch first, _, _ := strings.Cut(words.Lower(sentence), " "); first {
	case "this", "that", "it", "they", "both":
		return true
	}
	return false
}

// inCode reports whether a byte of a message is in a block of code: the number of fences behind it is odd,
// also of a message that is cut at its beginning.
func inCode(text string, at int) bool { return strings.Count(text[at:], "```")%2 == 1 }

// heading reports whether a sentence is only emphasised: "**Suggested next steps**".
func heading(s string) bool {
	s = strings.TrimRight(s, ": ")
	return strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") && strings.Count(s, "**") == 2 && !strings.ContainsAny(s, "?？")
}

// plain returns a text in lower case, with the plain apostrophe.
func plain(s string) string { return strings.ReplaceAll(words.Lower(s), "’", "'") }

// onlyAsks reports whether a sentence in lower case asks whether to do something without saying
// what: "Shall I proceed?", "要实施吗？". Then the proposal stands before it. A sentence counts if
// every word of it is a word of asking.
func onlyAsks(low string) bool {
	var signs *strings.Replacer
	for _, w := range strings.FieldsFunc(low, func(c rune) bool { return c < utf8.RuneSelf && !isLetter(byte(c)) && c != '\'' }) {
		switch w {
		case "shall", "should", "may", "can", "could", "would", "do", "does", "i", "we", "you", "me", "your", "want", "like", "to", "go", "ahead", "proceed", "continue", "begin", "start", "now", "it", "that", "this",
			"these", "those", "them", "all", "both", "with", "the", "a", "is", "are", "ok", "okay", "ready", "let", "know", "if", "and", "for", "please", "confirm", "approve", "agree", "sound", "sounds", "good", "look",
			"looks", "right", "which", "one", "ones", "next", "first", "tackle", "make", "apply", "implement", "change", "changes", "fix", "fixes", "work", "plan", "happy", "think", "what", "when", "whenever", "give", "say", "word", "just",
			"je", "tu", "que", "veux", "commence", "lance", "ça", "te", "va", "quieres", "proceda", "procedo", "continúe", "continuo", "soll", "ich", "anfangen", "loslegen", "weitermachen", "posso", "prosseguir",
			"приступать", "начинать", "продолжать", "делать", "мне", "согласны", "подтверждаете":
			continue
		}
		if strings.IndexFunc(w, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
			return false
		}
		if signs == nil {
			signs = askingSigns()
		}
		if strings.TrimSpace(signs.Replace(w)) != "" {
			return false
		}
	}
	return true
}

// askingSigns returns a replacer that removes from Chinese, Japanese and Korean what only
// asks. It is made when it is needed, which is seldom: a package here keeps no variable.
func askingSigns() *strings.Replacer {
	var pairs []string
	for w := range strings.SplitSeq("需要|是否|可以|两点|这样|这个|这些|这|请|授权|允许|以上|上述|同意|意见|开始|開始|执行|实施|实现|直接|继续|现在|方案|方向|处理|合适|确认|觉得|怎么样|如何|进行|修改|修复|改|我|你|您|要|帮|做|吗|嗎|呢|吧|的|了|行|好|对|不|"+
		"進めて|進め|よろしい|しましょうか|でしょうか|ですか|ますか|実行|着手|この|これ|方針|まま|いい|問題|ない|で|も|て|か|"+
		"진행|시작|이대로|바로|지금|할까요|해도|될까요|드릴까요|하시겠어요|괜찮|으세요|을까요|？|。|，|！", "|") {
		pairs = append(pairs, w, "")
	}
	return strings.NewReplacer(pairs...)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// choices reports whether a question in lower case asks to choose between things, and not for a
// yes or no.
func choices(low string) bool {
	return strings.Contains(low, " or ") || strings.Contains(low, "which") || strings.Contains(low, "what ") || strings.Contains(low, "prefer")
}

// seconds reports whether a sentence in lower case only asks again for what was
// proposed before it: "Or would you prefer to wait?".
func seconds(low string) bool {
	low = strings.TrimLeft(low, " *_-")
	for _, o := range [...]string{
		"or ", "does this ", "does that ", "what do you think", "which do you prefer", "what would you prefer", "sound good", "any ", "thoughts",
		"let me know", "ou ", "oder ", "oppure ", "или ", "还是", "還是", "或者", "それとも", "아니면",
	} {
		if strings.HasPrefix(low, o) {
			return true
		}
	}
	return false
}

// echoes reports whether the turn is one sentence whose words all are in the message, in that
// order: somebody picks a name that was offered. "Post it" picks none, since "it" names
// nothing.
func (r *Reading) echoes(text string) bool {
	const least = 3
	s := r.Turn.Sentences[0]
	switch r.Word(s.Last - 1) {
	case "it", "them", "this", "that", "these", "those":
		return false
	}
	own := strings.Trim(s.In(r.Turn.Text), " .!\"'`")
	return len(own) >= least && len(r.Turn.Sentences) == 1 && strings.Contains(words.Lower(text), words.Lower(own))
}

// repeats reports whether the turn repeats a question: at least two of its words of meaning,
// and three in five of all of them, stand there.
func (r *Reading) repeats(question string) bool {
	if len(r.Turn.Sentences) > 2 || strings.IndexByte(r.Turn.Text, '?') >= 0 {
		return false
	}
	low := words.Lower(question)
	own, shared := 0, 0
	for _, t := range r.Turn.Tokens {
		w := words.Lower(t.In(r.Turn.Text))
		if t.Kind == prose.Mark || t.Kind == prose.Word && (len(w) < 4 || words.Function(w) || words.Article(w)) {
			continue
		}
		own++
		if strings.Contains(low, w) {
			shared++
		}
	}
	return shared >= 2 && 5*shared >= 3*own
}

// asking reports whether a sentence ends as a question does.
func asking(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }

// offers reports whether a sentence in lower case offers to do something: "want me to …", "ich
// kann …", "需要我…".
func offers(low string) bool {
	for _, o := range [...]string{
		"want me to", "would you like", "shall i", "should i", "do you want", "let me know if", "recommend", "i can ", "i could", "if you'd like",
		"if you want", "ready to", "suggest", "happy to", "propose", "i would ", "i'd ", "say go", "say the word", "your call", "if you agree", "green-light", "green light",
		"your go-ahead", "your go ", "on your go",
		"要不要", "需要我", "要我", "是否", "如需", "建议", "建議", "我倾向", "我可以", "どうしますか", "しましょうか", "よければ", "必要なら", "おすすめ", "할까요", "드릴까요", "원하",
		"si tu veux", "veux-tu", "tu veux que", "voulez-vous", "souhait", "je peux ", "je vais ", "dis-moi", "valide", "si quieres", "quieres que", "deseas", "puedo ",
		"se quiser", "quer que", "posso ", "soll ich", "möchtest", "wenn du willst", "kann ich", "setze ich", "se vuoi", "vuoi che", "approvazione",
		"хотите", "могу ", "подтвер", "предлагаю",
	} {
		if strings.Contains(low, o) {
			return true
		}
	}
	return false
}

// proposes judges what a sentence of the assistant would have done. Whether "start" or "fix"
// means a design or an errand, the sentence does not tell; then a message that lists details
// counts as a design.
func (r *Reading) proposes(hits []gate.Hit, turn *prose.Turn) Proposal {
	k := unclear
	for _, h := range hits {
		switch g := words.GroupOf(h.Family); {
		case g == words.Set, g == words.Build, g == words.Neg, h.Family == gate.OfferTech:
			return design
		case h.Family == gate.ActGoOn, h.Family == gate.ActFix, h.Family == gate.ActRun && isStart(turn.Tokens[h.First].In(turn.Text)):
		case g == words.Chore, h.Family == gate.OfferChore, h.Family == gate.VetoPhrase && looks(turn.Tokens[h.First].In(turn.Text)):
			k = errand
		}
	}
	if k == unclear && details(turn) {
		return design
	}
	return k
}

// looks recognises the verbs of set phrases by which something is looked up:
// "check if".
func looks(w string) bool {
	switch words.Lower(w) {
	case "check", "see", "determine", "tell":
		return true
	}
	return false
}

// isStart reports whether a verb only has work begin.
func isStart(w string) bool {
	w = words.Lower(w)
	return w == "start" || w == "begin"
}

// details reports whether a message lists at least two items.
func details(turn *prose.Turn) bool {
	n := 0
	for _, s := range turn.Sentences {
		if s.Item {
			n++
		}
	}
	return n >= 2
}

// Answer returns what the turn's beginning says in view of the message before it, as evidence
// of a clause of its own. It is empty for a turn that answers nothing, and valid until the next
// call.
//
//	Shall I move the port to 3478?   "ok, but keep 8080 as well"
//	   → assent to a design, with work of its own behind it, 4 to 8 words
func (r *Reading) Answer() []Feature {
	r.reset()
	if len(r.Turn.Sentences) == 0 || r.Command() {
		return nil
	}
	yes, accepts, end := r.Assents()
	switch {
	case yes || accepts:
		r.add(does, inAssent)
		r.add(answerToNothing+item(r.Prev.Proposal), anywhere)
		if accepts {
			r.add(answerAccepts, anywhere)
		}
		r.rest(end)
		r.length()
	case r.Words <= maxShort && (r.Prev.asks || r.Prev.Echo) || r.Prev.Overlap || r.Picks() && (r.Prev.Numbered || r.Prev.asks):
		r.add(short, anywhere)
		r.shortAnswer()
	default:
		return nil
	}
	if strings.IndexByte(r.Turn.Text, '?') >= 0 {
		r.add(answerAsks, anywhere)
	}
	return r.found
}

// shortAnswer adds how a few words answer the question before them.
func (r *Reading) shortAnswer() {
	if r.Prev.Choice {
		r.add(shortChoice, anywhere)
	}
	if r.Picks() {
		r.add(shortPick, anywhere)
	}
	if r.Prev.Numbered {
		r.add(shortNumbered, anywhere)
	}
	if r.Prev.Echo {
		r.add(shortEcho, anywhere)
	}
	if r.Prev.Overlap {
		r.add(shortOverlap, anywhere)
	}
}

// Assents finds the words of assent at the turn's beginning, and the token behind them. Further
// in than the fourth word only the acceptance of a plan counts, and only if no work was set
// before it.
//
//	ok, go ahead and merge it      yes and accepts, end at "and"
//	ok so the parser fails on…     neither: "ok" only opens a longer sentence
func (r *Reading) Assents() (yes, accepts bool, end int) {
	s := r.Turn.Sentences[0]
	for _, h := range r.Scan.Of(0) {
		if far := h.First-s.First > 4; h.Family == gate.ActAccept && r.workBefore(h.First) || far && h.Family != gate.ActAccept {
			continue
		}
		switch h.Family {
		case gate.ActYes:
			if r.opensOnly(h) {
				continue
			}
			yes, end = true, max(end, h.Last)
		case gate.ActAccept:
			accepts, end = true, max(end, h.Last)
		default:
		}
	}
	return yes, accepts, end
}

// workBefore reports whether the first sentence sets work before token k: in "fix the parser
// and go ahead" the acceptance refers to that work.
func (r *Reading) workBefore(k int) bool {
	for _, h := range r.Scan.Of(0) {
		if h.First >= k {
			continue
		}
		switch g := words.GroupOf(h.Family); {
		case h.Family == gate.ActGit, h.Family == gate.ActGoOn, r.does(gate.ActGit, h.First):
		case g == words.Set, g == words.Build, g == words.Chore, g == words.Modal, g == words.Want, g == words.Neg:
			return true
		}
	}
	return false
}

// does reports whether an act of a family begins at token k of the first
// sentence.
func (r *Reading) does(f gate.Family, k int) bool {
	for _, h := range r.Scan.Of(0) {
		if h.Family == f && h.First == k {
			return true
		}
	}
	return false
}

// opensOnly reports whether a word of assent only opens a sentence of more than five words.
func (r *Reading) opensOnly(h gate.Hit) bool {
	if h.Last-h.First > 1 || !weak(r.Word(h.First)) {
		return false
	}
	s := r.Turn.Sentences[0]
	return s.Last-s.First > 5
}

// weak recognises the words of assent that often only open a sentence.
func weak(w string) bool {
	switch w {
	case "ok", "okay", "great", "perfect", "right", "correct", "exactly", "y", "sure":
		return true
	}
	return false
}

// rest adds what the first sentence says besides its assent: doubt wherever it stands ("yes,
// but why …"), and work or errands behind token end.
func (r *Reading) rest(end int) {
	works, chores := false, false
	for _, h := range r.Scan.Of(0) {
		switch h.Family {
		case gate.AskWh, gate.AskAux, gate.CtxSymptom, gate.CtxPraise, gate.CtxNotWorking:
			r.add(answerDoubts, anywhere)
			r.add(item(h.Family), inAssent)
			continue
		default:
		}
		if h.First < end {
			continue
		}
		switch words.GroupOf(h.Family) {
		case words.Set, words.Build, words.Modal, words.Want, words.Neg:
			works = true
		case words.Chore:
			chores = true
		default:
		}
	}
	if works {
		r.add(answerAndWork, anywhere)
	} else if chores {
		r.add(answerAndChore, anywhere)
	}
	if weak(r.Word(r.Turn.Sentences[0].First)) {
		r.add(answerWeak, anywhere)
	}
}

// length adds the length of the turn in steps.
func (r *Reading) length() {
	for k, most := range [...]int{3, 8, 20} {
		if r.Words <= most {
			r.add(answer3+item(k), anywhere)
			return
		}
	}
	r.add(answerLong, anywhere)
}

// Picks reports whether the turn's first sentence is nothing but labels: "2", "1 and 3", "A". A
// question picks nothing.
func (r *Reading) Picks() bool {
	s := r.Turn.Sentences[0]
	if r.Ends(s) == '?' {
		return false
	}
	n := 0
	for _, t := range r.Turn.Tokens[s.First:s.Last] {
		w := t.In(r.Turn.Text)
		switch {
		case t.Kind == prose.Number, t.Kind == prose.Word && len(w) == 1 && strings.Contains("abcdeABCDE", w):
			n++
		case t.Kind == prose.Mark, w == "and", w == "&":
		default:
			return false
		}
	}
	return n > 0
}
