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

// manner is a way in which a word forbids. None forbids by itself: "do not" also complains,
// "no" also answers. The model weighs the manner with what stands around the word. Words are in
// lower case; those of scripts without blanks match anywhere, others at word ends.
type manner struct {
	name  string
	words string // separated by bars
}

// manners returns the ways in which a sentence forbids, the strictest first, with the words by which each
// is known. Words of other languages stand beside the English ones.
func manners() []manner {
	return []manner{
		{"strictly", "never|under no circumstances|on no account|absolutely not|definitely not|certainly not|is forbidden|are forbidden|is prohibited|are prohibited|banned|is off limits|off the table|out of the question|a no-go|not an option|no place in|nobody may|no one may|not be accepted|not allowed to|must not|mustn't|" +
			"ne doit pas|ne doivent pas|ne dois pas|ne doit plus|ne dois plus|interdit|jamais|en aucun cas|il ne faut pas|no debe|no deben|nunca|jamás|prohibido|não deve|não devem|proibido|" +
			"darf nicht|dürfen nicht|auf keinen fall|niemals|verboten|non deve|non devono|vietato|нельзя|никогда не|ни в коем случае|запрещ|" +
			"禁止|严禁|嚴禁|切勿|千万别|千万不要|不准|不允许|不許|不许|绝对不|絕對不|不得|绝不|てはいけ|てはなら|ダメ|勝手に|금지|안 돼|안돼"},
		{"refused", "won't|wont|will not|not going to"},
		{"told", "don't ever|verwende keine|verwenden keine|nutze keine|benutze keine|don't|do not|dont|nicht ändern|nicht anfassen|nicht verwenden|nicht löschen|nicht benutzen|bitte nicht|non usare|non toccare|non modificare|" +
			"não use|não mexa|não altere|não toque|não coloque|não faça|não crie|não dialogue|não remova|não inclua|não quebre|不要|别|勿|ないで|ないように|しないこと|しない。|せず|지 마|지마|지 말|지말"},
		{"unwanted", "don't want|do not want|dont want|didn't want|don't like|no quiero|ne veux pas|ne veux plus|voulais pas|não quero|nao quero|не хочу|will nicht|möchte nicht|不想|不希望"},
		{"none", "no|zero|without|sans|sem|sin|ohne|без|pas de|pas d'|plus de|nada de|kein|keine|keinen|senza|なしで|なしに|없이"},
		{"unable", "cannot|can't|can not|cant|no puede|no puedes|no podemos|não podemos|não pode|не может|ne peut pas|kann nicht|不能|不可以|不可|できない"},
		{"advised", "should not|shouldn't|shouldnt|shall not|не должен|не должна|не должно|не должны|sollte nicht|sollen nicht|不应该|不应|不該|不应当"},
		{"avoided", "avoid|stop|évite|éviter|évitez|evita|evitar|evite|vermeide|vermeiden|arrête|deja de|избегай|避免|停止|やめ"},
		{"needless", "don't need|do not need|dont need|doesn't need|no need|not necessary|not needed|не нужно|не надо|не нужен|не нужна|no hace falta|pas besoin|不需要|不用|不必|无需|は不要|필요 없|필요없"},
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
// returns false, if no word forbids. English says that the sentence is in English.
// For "Never log the token." it adds "ban strictly", "ban strictly first" and
// others; ExampleForbidding_Signs shows them all.
func (f *Forbidding) Signs(sentence string, english bool, add func(parts ...string)) bool {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	low := lower(sentence)
	found, confined := f.find(low)
	if len(found) == 0 {
		return false
	}
	language := "other"
	if english {
		language = "en"
	}
	add("ban in ", language)
	for _, h := range found {
		f.place(low, h, english, add)
		add("ban ", h.manner)
		add("ban ", h.manner, " in ", language)
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

// find returns the places at which a sentence in lower case may forbid, in order, none within
// another, and whether a word confines ("only").
func (f *Forbidding) find(low string) (found []forbids, confined bool) {
	f.words.Find([]byte(low), func(w int32, end int) {
		start := end - f.words.Len(w)
		switch {
		case !bounded(low, start, end) || inside(low, low[start:end], start, end):
		case f.manners[w] == confines:
			confined = true
		default:
			found = append(found, forbids{prose.Span{Start: start, End: end}, f.manners[w]})
		}
	})
	found = inflected(low, found)
	slices.SortStableFunc(found, func(a, b forbids) int {
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

// Excused reports whether what looks like a ban is none: it permits, consoles, complains, or
// wants something away that is there.
func Excused(sentence string) bool {
	low := lower(sentence)
	for _, w := range [...]string{
		"worry", "can stop", "may stop", "not forbidden",
		"不要有", "不要误导", "能不能", "可不可以", "不要了", "なければ", "なきゃ",
		"担心", "擔心", "着急", "心配し", "気にし", "걱정", "신경 쓰지", "inquiét", "inquièt", "inquiet", "preocup", "preoccup", "keine sorge", "переживай", "волнуй", "беспокой",
	} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// inflected adds what a language forbids by the form of a verb, which no list of words has: "no
// uses", "n'utilise pas", "не трогай".
func inflected(low string, found []forbids) []forbids {
	words := wordsOf(low)
	for k := 0; k+1 < len(words); k++ {
		w, next := words[k].In(low), words[k+1].In(low)
		end := 0
		switch {
		case w == "no" && len(next) > 3 && (strings.HasSuffix(next, "es") || strings.HasSuffix(next, "as")) && !strings.HasSuffix(next, "ies"),
			w == "не" && (strings.HasSuffix(next, "й") || strings.HasSuffix(next, "йте") || strings.HasSuffix(next, "ть")):
			end = words[k+1].End
		case w == "ne" && k+2 < len(words) && negates(words[k+2].In(low)):
			end = words[k+2].End
		case strings.HasPrefix(w, "n'") && negates(next):
			end = words[k+1].End
		}
		if end > 0 {
			found = append(found, forbids{prose.Span{Start: words[k].Start, End: end}, "told"})
		}
	}
	return found
}

// negates reports whether a French word ends a negation.
func negates(w string) bool { return w == "pas" || w == "plus" || w == "rien" }

// wordsOf returns the words of a text in a script with blanks, with apostrophes, underscores
// and dashes inside them.
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

// place adds signs for where a forbidding word stands: first in its clause or within it, whom
// it is said of ("it doesn't", "you don't"), and whether an act or a feeling follows. The last
// two are known for English only.
func (f *Forbidding) place(low string, h forbids, english bool, add func(parts ...string)) {
	before := strings.TrimRight(low[:h.Start], " ")
	last := before[strings.LastIndexAny(before, " \n")+1:]
	where := " within"
	if before == "" || strings.HasSuffix(strings.TrimLeft(before, " \n"), "\n") || opening(last) {
		where = " first"
	}
	add("ban ", h.manner, where)
	if !english {
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
		does := " act"
		switch {
		case next == "":
			does = " nothing"
		case feels(next):
			does = " feel"
		}
		add("ban to", does)
		add("ban ", h.manner, " to", does)
	}
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

// feels reports whether an English verb is one of being, knowing or wanting. There are few of them; all other verbs are
// taken for acts, which are too many for a list: one that was made from labelled bans told bans of other projects
// worse.
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
