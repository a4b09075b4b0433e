package forbid

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/decide/words"
)

// Form is how a sentence forbids.
type Form uint8

// The forms, the weakest first.
const (
	None    Form = iota
	Without      // the bare thing: "no new dependencies"
	Duty         // what must not be: "secrets must not be logged", "直接pushは禁止"
	Order        // who is spoken to shall not do it: "don't touch the migrations"
)

// String names the form as learnt weights know it.
func (f Form) String() string { return [...]string{"none", "without", "duty", "order"}[f] }

// Finder finds forms. It does not change, and serves any number of goroutines.
type Finder struct{ marks *ahocorasick.Automaton }

// New returns a Finder.
func New() *Finder { return &Finder{ahocorasick.New(strings.Split(marks, "|"))} }

// marks are pieces of text, separated by bars, one of which every form has. Most sentences have
// none, and cost one pass of the automaton and nothing more. Words that begin a sentence stand
// in both cases where their letters are not ASCII; the automaton ignores the case of ASCII
// letters.
const marks = "don't|don’t|won't|won’t|mustn't|mustn’t|isn't|isn’t|aren't|aren’t|shan't|dont |wont |not |never|no |nobody|noone|nothing|avoid|refrain|stop |forbidden|prohibited|banned|off the table|off limits|off-limits|out of the question|no-go|" +
	"nicht|nie|kein|verbot|untersagt|vermeide|unterlass|verbiete|ne | n'| n’|pas d|plus d|aucun|jamais|interdi|proscrit|vitez |vite |viter |" +
	"nunca|jamás|jamas|nada de|ningun|ningún|prohibido|evita|evite|não |nao |proibido|jeito nenhum|hipótese alguma|non |niente|nessun|mai |vietato|proibito|" +
	"не |Не |НЕ |апре|икогда |икак|ельзя|случае|едопустимо|збега|ватит|ереста|рекрати|" +
	"禁|勿|嚴禁|不|别|別|停止|ないで|ないこと|ないよう|ません|せず|ない|するな|すな|るな|いけ|なら|だめ|ダメ|駄目|のはng|はng|" +
	"지 마|지마|지 말|지말|금지|안돼|안됨|안된|안됩|안되|안 |않"

// In returns the form in which a sentence forbids, and whether that is one of English.
func (f *Finder) In(sentence string) (form Form, inEnglish bool) {
	if !f.marked(sentence) {
		return None, false
	}
	return In(words.Lower(sentence))
}

// marked reports whether a text may have a form: whether it has a mark. A mark that begins with
// a plain letter counts only at the beginning of a word, so that "another" has no "not ".
func (f *Finder) marked(text string) bool {
	if len(text) > 1 && text[0]|0x20 == 'n' && (text[1] == '\'' || strings.HasPrefix(text[1:], "’")) {
		return true // "n'utilise pas"
	}
	for from := 0; ; {
		start, end := f.marks.First(text[from:])
		if end == 0 {
			return false
		}
		start += from
		if start == 0 || !plain(text[start]) || !plain(text[start-1]) {
			return true
		}
		from = start + 1
	}
}

// plain reports whether a byte is a letter without an accent.
func plain(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// In returns the strongest form in which a clause of a sentence in lower case forbids, and
// whether that clause is in English. A sentence that ends in a question mark has none: it asks
// whether something is forbidden.
func In(low string) (best Form, inEnglish bool) {
	low = strings.ReplaceAll(low, "’", "'")
	low = strings.TrimRight(low, " \t\r\n\"')*_")
	if strings.HasSuffix(low, "?") || strings.HasSuffix(low, "？") {
		return None, false
	}
	for len(low) > 0 {
		end, size := clauseEnd(low)
		if f, en := inClause(strings.Trim(low[:end], " \t\r\n\"'`*_->#“”")); f > best {
			best, inEnglish = f, en
		}
		low = low[end+size:]
	}
	return best, inEnglish
}

// clauseEnd returns where the first clause ends, and the length in bytes of the mark that ends
// it; the whole length and 0 if no mark does. A dot or a dash ends a clause only before a blank
// or at the end, since names have both: "config.yaml", "off-limits".
func clauseEnd(s string) (end, size int) {
	for i, r := range s {
		n := utf8.RuneLen(r)
		switch r {
		case ',', ';', ':', '!', '(', ')', '\n', '—', '–', '，', '。', '；', '：', '！', '、', '（', '）':
			return i, n
		case '.', '-':
			if i+1 == len(s) || s[i+1] == ' ' {
				return i, n
			}
		case utf8.RuneError:
			return i, 1
		}
	}
	return len(s), 0
}

// inClause returns the form of one clause, and whether it is in English. The script decides
// which language is asked: kana, hangul and Han characters by themselves; for letters, English
// first and then the other six, of which the strongest form counts. Words of courtesy and
// openings such as "from now on" are skipped before:
//
//	from now on, please │ never push to main      never + verb = Order
//	und │ keine neuen Abhängigkeiten              keine + noun = Without
func inClause(s string) (f Form, inEnglish bool) {
	switch {
	case s == "":
		return None, false
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }):
		return japanese(s), false
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }):
		return korean(s), false
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
		return chinese(s), false
	}
	w := strings.Fields(s)
	if len(w) > 1 && w[0] == "а" && w[1] == "не" {
		return None, false // it contrasts
	}
	w = afterLeads(w)
	if len(w) < 2 {
		return None, false
	}
	if f = english(w); f != None {
		return f, true
	}
	for _, in := range [...]func(w []string) Form{german, french, spanish, portuguese, italian, russian} {
		f = max(f, in(w))
	}
	return f, false
}

// leads are the single words that may stand before the form, in languages with blanks.
const leads = "please pls plz and so but just also then now ok okay again first hey however instead additionally btw remember note important rule really " +
	"por favor y pero entonces ahora también tambien luego e mas então entao agora também aí ai ok " +
	"per favore ma poi ora anche quindi et mais donc alors surtout stp svp s'il te vous plaît plait " +
	"bitte und aber also jetzt dann auch sonst пожалуйста и а но только ну давай ещё еще также больше"

// openings are phrases that announce a rule which lasts. They stand before the form and do not
// count as part of it.
const openings = "from now on|from here on|going forward|in the future|in future|as a rule|in this repo|in this project|in this codebase|" +
	"ab jetzt|ab sofort|von jetzt an|in zukunft|künftig|zukünftig|in diesem projekt|" +
	"de ahora en adelante|a partir de ahora|en adelante|en el futuro|de agora em diante|a partir de agora|daqui em diante|" +
	"d'ora in poi|da ora in poi|in futuro|à partir de maintenant|désormais|dorénavant|à l'avenir|" +
	"с этого момента|впредь|отныне|с сегодняшнего дня"

// afterLeads returns the words behind those that may stand before the form; at least one is left.
func afterLeads(w []string) []string {
	for {
		n := 0
		if len(w) > 1 && oneOf(w[0], leads) {
			n = 1
		}
		for opening := range strings.SplitSeq(openings, "|") {
			if k := beginning(w, opening); k < len(w) {
				n = max(n, k)
			}
		}
		if n == 0 {
			return w
		}
		w = w[n:]
	}
}

// beginning returns how many words of a clause a phrase covers, if the clause begins with that
// phrase; else 0.
func beginning(w []string, phrase string) (n int) {
	for word := range strings.SplitSeq(phrase, " ") {
		if at(w, n) != word {
			return 0
		}
		n++
	}
	return n
}

// oneOf reports whether a word is in a list of words, which white space separates. The list is
// searched as a text, which is faster than splitting it and needs no map: the lists are short,
// and most words are in none.
func oneOf(w, words string) bool {
	if w == "" {
		return false
	}
	for from := 0; ; {
		k := strings.Index(words[from:], w)
		if k < 0 {
			return false
		}
		k += from
		if from = k + len(w); (k == 0 || words[k-1] <= ' ') && (from == len(words) || words[from] <= ' ') {
			return true
		}
	}
}

// at returns word k of a clause, "" if it has no such word. Callers ask for any k.
func at(w []string, k int) string {
	if k < 0 || k >= len(w) {
		return ""
	}
	return w[k]
}

// ends reports whether a word ends in one of some endings and is longer than the ending: "be"
// is no verb in "-be".
func ends(w, endings string) bool {
	for e := range strings.FieldsSeq(endings) {
		if len(w) > len(e) && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// holds reports whether a clause contains one of some phrases, which bars separate, as whole
// words that follow each other.
func holds(w []string, phrases string) bool {
	for from := 0; from <= len(phrases); {
		end := strings.IndexByte(phrases[from:], '|')
		if end < 0 {
			end = len(phrases) - from
		}
		if hasPhrase(w, phrases[from:from+end]) {
			return true
		}
		from += end + 1
	}
	return false
}

// hasPhrase reports whether words that follow each other in a clause make up a phrase.
func hasPhrase(w []string, phrase string) bool {
	for k := range w {
		if !strings.HasPrefix(phrase, w[k]) {
			continue
		}
		rest := phrase
		for i := k; ; i++ {
			if i == len(w) || !strings.HasPrefix(rest, w[i]) {
				break
			}
			if rest = rest[len(w[i]):]; rest == "" {
				return true
			}
			if rest[0] != ' ' {
				break
			}
			rest = rest[1:]
		}
	}
	return false
}
