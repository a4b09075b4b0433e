package naming

import "strings"

// forbidding are the words by which a thing or an act is forbidden, as far as the rules do
// not know them.
func forbidding() [8]string {
	return [...]string{
		"ne doit pas|ne doivent pas|ne doit plus|ne sois pas|ne soit pas|ne soient pas|n'utilise pas|ne touche pas|ne touche à rien|ne modifie pas|ne change pas|interdit de|est interdit|il ne faut pas",
		"no debe|no deben|no toques|no uses|no cambies|no hagas|no pongas|no borres|no modifiques|no quites|nunca uses|prohibido|não deve|não devem|não use|não mexa|não altere|não toque|não coloque|não faça|não crie|não dialogue|proibido",
		"darf nicht|dürfen nicht|auf keinen fall|niemals|verboten|nicht ändern|nicht anfassen|nicht verwenden|non deve|non devono|non usare|non toccare|non modificare|vietato",
		"не трогай|не меняй|не менять|не изменяй|не используй|не использовать|не добавляй|не удаляй|не делай|не надо менять|не нужно менять|запрещ|ни в коем случае",
		"지 마|지 말|지마|지말|금지",
		"禁止|しないで|ないでくだ|ないように|してはいけ|てはなら|勝手に",
		"禁止|严禁|切勿|千万别|不准",
		"definitely not|absolutely not|certainly not|under no circumstances|on no account|is forbidden|are forbidden|is off limits|not allowed to",
	}
}

// Forbids reports whether a sentence forbids something, in its language's own words. A
// question forbids nothing.
func Forbids(sentence string) bool {
	low := lower(sentence)
	if asks(low) || Excused(low) {
		return false
	}
	for _, words := range forbidding() {
		for w := range strings.SplitSeq(words, "|") {
			if at := strings.Index(low, w); at >= 0 && bounded(low, at, at+len(w)) {
				return true
			}
		}
	}
	return false
}

// Excused reports whether what looks like a ban is none: it permits, puts off, complains, or
// wants something away that is there.
func Excused(sentence string) bool {
	low := lower(sentence)
	for _, w := range [...]string{
		"worry", "can stop", "may stop", "not forbidden",
		"不要有", "不要误导", "能不能", "可不可以", "不要了", "なければ", "なきゃ",
	} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
