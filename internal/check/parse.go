package check

import (
	"slices"
	"strings"
)

// Parse returns what a text forbids that a change can show.
//
// One sentence can give several prohibitions, and one prohibition can span clauses:
//
//	never touch a.go, b.go or c.go                one, with three objects
//	use pnpm, never npm                           one: use, npm (the verb of the clause before)
//	never use os.Exit, except in main.go          one, with a place where it does not hold
//	don't rename the API without asking me        one, with Ask
//	Should we avoid lodash?                       none: a question
//
// Objects that a change cannot show are dropped, and a prohibition without objects with
// them. The result is empty for most rules.
func (r *Reader) Parse(text string) []Prohibition {
	var all []Prohibition
	var before []token // the clause before
	for _, s := range r.sentences(text) {
		parts, local := clauses(slices.DeleteFunc(s, adverb)), r.atHand(s)
		for i := 0; i < len(parts); i++ {
			if at, n := cue(parts[i], r.cues); at == 0 && n == len(parts[i]) && i+1 < len(parts) && !leading(parts[i][0].low) {
				parts[i+1] = slices.Concat(parts[i], parts[i+1]) // "hör auf, eval zu benutzen"
				continue
			}
			p, ok := r.forbids(parts[i], r.verbBefore(parts[:i]))
			if !ok {
				p, ok = r.forbids(r.meant(parts[i], before), Use)
			}
			before = parts[i]
			p.Local = p.Local || local
			if !ok {
				continue
			}
			if i > 0 && len(p.Within) == 0 && has("instead|stattdessen", parts[i][0].low) {
				p.Within = placeOf(parts[i-1]) // "in main.go use slog instead of log"
			}
			// "never touch a.go, b.go or c.go"
			for i+1 < len(parts) && r.onlyNames(parts[i+1]) {
				i++
				p.Objects = append(p.Objects, r.objects(parts[i], p.Act, p.Objects[0].Weak)...)
			}
			// "never use os.Exit, except in main.go"
			for i+1 < len(parts) && p.limited(parts[i+1]) {
				i++
			}
			all = append(all, p)
		}
	}
	return all
}

// meant returns a clause with what its pronoun stands for, nothing if that is not plain. It is code
// or a path that the clause before names, or the subject of that clause: "pandas is too big, don't add it".
// A clause that says what to do has no such subject.
func (r *Reader) meant(part, before []token) []token {
	at := slices.IndexFunc(part, func(t token) bool {
		return t.kind == word && has("it|them|those|these|any|es|sie|lo|los|le|les", t.low)
	})
	if cued, n := cue(part, r.cues); at < 0 && cued == 0 && n == len(part) && (n > 1 || part[0].low == "never" && len(before) == 1) {
		part = append(slices.Clone(part), token{}) // "vendor/ is generated, hands off"
		at = n
	}
	if _, does := r.firstVerb(before); at < 0 || does || len(before) == 0 {
		return nil
	}
	var names []token
	for _, t := range before {
		if t.kind == code || t.kind == word && (exact(t.text) || pathOf(t.text, false) != nil) {
			names = append(names, t)
		}
	}
	if len(names) == 0 && len(before) > 2 && has("is|are|was|has|ist|sind|est|sont|es|son|é|são", before[1].low) && !common(before[0].low) && !opens(before[0].low) && !reports(before[0]) {
		names = before[:1]
	}
	if len(names) == 0 {
		return nil
	}
	return slices.Concat(part[:at], names, part[at+1:])
}

// placeOf returns the files and folders that a clause says it is about.
func placeOf(part []token) []Place {
	for i, t := range part {
		if t.kind == word && insides(t.low) {
			return placesIn(part[i+1:])
		}
	}
	return nil
}

// verbBefore returns the act of the clauses before: "use pnpm, never npm" is about use.
func (r *Reader) verbBefore(parts [][]token) Act {
	for _, part := range slices.Backward(parts) {
		for _, t := range part {
			if act, ok := r.verb(t); ok {
				return act
			}
		}
	}
	return Use
}

// forbids reads a clause.
//
// The readings are tried in this order, and the first that finds an object is taken:
// the passive comes first, since "vendor/ must not be touched" also has the words of an
// active one.
func (r *Reader) forbids(part []token, before Act) (Prohibition, bool) {
	for _, read := range []func([]token, Act) (Prohibition, bool){r.passive, r.active, r.left, r.outOf, r.around, r.rejected, r.without, r.solely} {
		if p, ok := read(part, before); ok && len(p.Objects) > 0 {
			return p, true
		}
	}
	return Prohibition{}, false
}

// passive reads "vendor/ is off limits" and "eval must never be used".
//
// The objects stand before the cue. Without a verb ("is off limits") a path or a class
// must not be touched, and anything else must not be used.
func (r *Reader) passive(part []token, _ Act) (Prohibition, bool) {
	at, n := cue(part, r.passives)
	if at < 1 || describes(part[:at]) {
		return Prohibition{}, false
	}
	var p Prohibition
	does := part[at+n:]
	if i := slices.IndexFunc(does, func(t token) bool { return t.kind == word && insides(t.low) }); i >= 0 {
		does = does[:i] // "must never end up in a commit"
	}
	act, told := r.firstVerb(does)
	if !told {
		if part[at+n-1].low == "be" && len(does) > 0 {
			return Prohibition{}, false // "a line must not be wider than the screen"
		}
		act = Use
	}
	if after := r.objects(part[at+n:], act, false); part[at+n-1].low != "be" && isModal(part[at]) && (told && len(after) > 0 || named(after, leavesNoDoubt)) {
		return Prohibition{}, false // "core must not import net/http" is about net/http
	}
	head, within := p.inside(part[:at]) // "time.Sleep in tests is forbidden"
	p.Objects = r.objects(head, Use, false)
	switch p.Act = Touch; {
	case told:
		p.Act = act
	case !named(p.Objects, func(o *Object) bool { return o.path != nil || o.Class != "" }):
		p.Act = Use // "eval is forbidden"
	}
	if p.Act == Use || p.Act == Add {
		if p.Within = within; len(within) == 0 && at+n < len(part) && insides(part[at+n].low) {
			p.Within = placesIn(part[at+n+1:])
		}
	}
	if p.Act == Touch || p.Act == Remove || p.Act == Rename {
		p.Objects = r.objects(part[:at], p.Act, false)
	}
	_, tail := bounded(does)
	p.limited(tail)
	return p, true
}

// active reads "never use eval" and "don't touch vendor/": a cue, an act, objects, and
// then perhaps a place and a condition. Where no verb follows the cue, the act is that
// of the clause before; after "no" it is to add, after "hands off" to touch.
func (r *Reader) active(part []token, before Act) (Prohibition, bool) {
	at, n := cue(part, r.cues)
	meaning := func(t token) bool { return has("mean|meant|imply", t.low) }
	if at < 0 || at > 0 && reports(part[at-1]) && !insides(part[0].low) || slices.ContainsFunc(part[:at], meaning) {
		return Prohibition{}, false
	}
	rest := part[at+n:]
	if len(rest) > 0 && isNo(part[at]) && n == 1 && rest[0].low == "any" { // of TypeScript
		rest = append([]token{{text: "any", low: "any", kind: code}}, rest[1:]...)
	}
	if len(rest) == 0 || pardons(rest[0].low) {
		return Prohibition{}, false
	}
	if act, _ := r.firstVerb(rest); act == Use && has("nobody|no", part[at].low) && (n > 1 || part[at].low == "nobody") && !isModal(rest[0]) ||
		part[at].low == "never" && at > 0 && part[at-1].low == "i" && rest[0].low != "want" {
		return Prohibition{}, false // "nobody uses it" and "I never liked it" say what is
	}
	p := Prohibition{Act: before}
	head, tail := bounded(rest)
	if act, ok := r.firstVerb(head); ok && (n > 1 || !isNo(part[at]) || !strings.HasSuffix(head[0].low, "ed")) { // "no committed .only"
		p.Act = act
	} else if isNo(part[at]) && n == 1 {
		p.Act = Add // "no new dependencies"
	} else if n > 1 && has("hands|keep|stay|steer|finger", part[at].low) && !named(r.objects(head, Use, false), func(o *Object) bool { return o.form != nil || keyworded(o.Name) }) {
		p.Act = Touch // "hands off config/prod.yml"
	}
	head, p.Within = p.inside(head)
	if len(p.Within) == 0 && isModal(part[at]) && (p.Act == Use || p.Act == Add) {
		p.Within = subject(part[:at])
	}
	p.Objects = r.objects(head, p.Act, false)
	if !named(p.Objects, leavesNoDoubt) && len(tail) > 1 && tail[0].low == "with" {
		if with := firm(r.objects(tail[1:], p.Act, false)); len(with) > 0 {
			p.Objects = with // "never run with debug: true"
		}
	}
	if p.Act == Touch && named(p.Objects, func(o *Object) bool { cmd, ok := o.command(); return ok && len(cmd) > 1 }) {
		p.Act = Use // "never force push"
	}
	p.limited(tail)
	return p, true
}

// isModal reports whether a word says what somebody or something may not do.
func isModal(t token) bool {
	return t.kind == word && has("must|should|may|mustn't|shouldn't|can|can't|cannot", t.low)
}

// subject returns the part of the code that may not do something: "the domain layer".
func subject(part []token) []Place {
	if places := placesIn(part); len(places) > 0 {
		return places
	}
	for _, t := range slices.Backward(part) {
		switch {
		case t.kind == word && has("layer|layers|module|modules|package|packages|folder|directory|code|crate|app|service", t.low):
		case t.kind != word || common(t.low) || opens(t.low) || reports(t) || isPerson(t.low):
			return nil
		default:
			return []Place{{path: compile(t.text + "/")}}
		}
	}
	return nil
}

// isPerson reports whether a word is one of those who write code.
func isPerson(w string) bool {
	return has("agent|agents|claude|codex|gemini|copilot|assistant|assistants|ai|model|models|developer|developers|people|everybody|everyone|nobody|contributors|team|project|repo|repository|codebase", w)
}

// outOf reads "keep lodash out of src/core" and "keep console.log out of the code".
func (r *Reader) outOf(part []token, _ Act) (Prohibition, bool) {
	part = opened(part)
	at := slices.IndexFunc(part, func(t token) bool { return t.kind == word && t.low == "out" })
	if at < 2 || part[0].low != "keep" || at+1 < len(part) && (at+2 >= len(part) || part[at+1].low != "of") {
		return Prohibition{}, false
	}
	where := part[min(at+2, len(part)):]
	p := Prohibition{Act: Use, Objects: r.objects(part[1:at], Use, false), Within: subject(where)}
	if len(p.Objects) > 1 && !named(p.Objects, func(o *Object) bool { return o.Exact || o.Class != "" }) {
		return p, false // "keep the business logic out of controllers"
	}
	everywhere := !slices.ContainsFunc(where, func(t token) bool {
		return !common(t.low) && !has("repo|repository|codebase|project|app|bundle|production", t.low)
	})
	return p, len(p.Within) > 0 || everywhere
}

// opened returns a clause without the words that it may begin with.
func opened(part []token) []token {
	for len(part) > 0 && part[0].kind == word && opens(part[0].low) {
		part = part[1:]
	}
	return part
}

// left reads "leave vendor/ alone" and "leave go.sum as it is".
func (r *Reader) left(part []token, _ Act) (Prohibition, bool) {
	part = opened(part)
	end := slices.IndexFunc(part, func(t token) bool { return t.kind == word && has("alone|untouched|unchanged|as", t.low) })
	if end < 2 || !has("leave|keep", part[0].low) {
		return Prohibition{}, false
	}
	return Prohibition{Act: Touch, Objects: r.objects(part[1:end], Touch, false)}, true
}

// around reads languages in which what is forbidden stands before the verb, or on
// both sides of it: 不要使用 axios, axiosは使わないで, lodash를 쓰지 마, moment nicht verwenden.
func (r *Reader) around(part []token, before Act) (Prohibition, bool) {
	if !slices.ContainsFunc(part, prohibits) {
		return Prohibition{}, false
	}
	p := Prohibition{Act: before}
	if act, ok := r.firstVerb(part); ok {
		p.Act = act
	} else if named(r.objects(part, Touch, false), func(o *Object) bool { return o.path != nil }) {
		p.Act = Touch
	}
	p.Objects = r.objects(part, p.Act, false)
	p.Ask = slices.ContainsFunc(part, func(t token) bool {
		return t.kind == han && anyIn(t.text, "许可", "同意", "允许前", "許可なく", "確認なし", "허락 없이", "허락")
	})
	return p, true
}

// without reads "fix it without touching src/legacy", which is about the work at hand.
func (r *Reader) without(part []token, _ Act) (Prohibition, bool) {
	at := slices.IndexFunc(part, func(t token) bool { return t.kind == word && has("without|ohne|sans|sin|sem|senza|без", t.low) })
	if at < 0 || at+2 >= len(part) {
		return Prohibition{}, false
	}
	act, ok := r.firstVerb(part[at+1:])
	return Prohibition{Act: act, Objects: r.objects(part[at+1:], act, false), Local: true}, ok
}

// solely reads "only touch src/parser.rs", which is about the work at hand, too.
func (r *Reader) solely(part []token, _ Act) (Prohibition, bool) {
	part = opened(part)
	if len(part) < 3 || part[0].low != "only" || slices.ContainsFunc(part, func(t token) bool { return conditions(t.low) || ends(t.low) }) {
		return Prohibition{}, false
	}
	p := Prohibition{Act: Touch, Objects: []Object{{Name: "anything else", path: compile("**")}}, Local: true}
	act, _ := r.verb(part[1])
	for _, o := range r.objects(part[2:], Touch, false) {
		if o.path != nil {
			p.Outside = append(p.Outside, Place{path: o.path})
		}
	}
	return p, act == Touch && len(p.Outside) > 0
}

// rejected reads "dayjs instead of moment": what is not chosen.
func (r *Reader) rejected(part []token, _ Act) (Prohibition, bool) {
	at, n := cue(part, r.insteads)
	if at < 0 {
		return Prohibition{}, false
	}
	return Prohibition{Act: Use, Objects: r.objects(part[at+n:], Use, true)}, true
}

// cue finds the first of some sequences of words, and how many words it has.
//
// The longest sequence at the earliest place is taken. A word of [leading] counts only
// at the beginning of a clause: "no" in "there is no time" is no ban.
func cue(part []token, sequences [][]string) (at, n int) {
	for i := range part {
		best := 0
		for _, s := range sequences {
			if len(s) > best && startsWith(part[i:], s) {
				best = len(s)
			}
		}
		if best > 0 && (!leading(part[i].low) || best > 1 || atStart(part[:i])) {
			return i, best
		}
	}
	return -1, 0
}

// startsWith reports whether the tokens begin with these words.
func startsWith(part []token, s []string) bool {
	if len(part) < len(s) {
		return false
	}
	for i, w := range s {
		if part[i].kind != word || part[i].low != w {
			return false
		}
	}
	return true
}

// atStart reports whether a clause begins after these words, as "please" in
// "please no new files".
func atStart(before []token) bool {
	return !slices.ContainsFunc(before, func(t token) bool { return t.kind != word || !opens(t.low) })
}

// firstVerb returns the act of the first verb among words.
func (r *Reader) firstVerb(part []token) (Act, bool) {
	for _, t := range part {
		if t.kind == word && isCommand(t.low) {
			break // "push" of "git push" is no verb
		}
		if act, ok := r.verb(t); ok {
			return act, true
		}
	}
	return "", false
}

// bounded cuts what is forbidden from the condition after it.
func bounded(part []token) (head, tail []token) {
	for i, t := range part {
		if t.low == "except" && i > 0 && has("bare|naked", part[i-1].low) {
			continue // of Python
		}
		if t.kind == word && (conditions(t.low) || i > 0 && ends(t.low) && !has("reach|reaching", part[i-1].low)) {
			return part[:i], part[i:]
		}
	}
	return part, nil
}

// inside cuts the place where the act is forbidden from the words before it: "never
// use any in TypeScript". What must not be touched in a folder is the folder.
func (p *Prohibition) inside(part []token) ([]token, []Place) {
	if p.Act == Touch || p.Act == Remove || p.Act == Rename {
		return part, nil
	}
	for i, t := range part {
		if i > 0 && t.kind == word && insides(t.low) {
			places := placesIn(part[i+1:])
			if named := unknownPlace(part[i+1:]); len(places) == 0 && named != "" {
				places = []Place{{stem: named}}
			}
			if len(places) > 0 {
				return part[:i], places
			}
		}
	}
	return part, nil
}

// unknownPlace returns the word for a sort of files that their paths show: "component" of "in our
// components". It is "" of other words, which may say anything.
func unknownPlace(part []token) string {
	for _, t := range part {
		if name := strings.TrimSuffix(t.low, "s"); has("component|controller|handler|view|model|service|route|router|page|hook|util|helper|migration|middleware|reducer|store|domain|resolver|serializer|fixture|worker|job", name) {
			return name
		}
		if !common(t.low) && !opens(t.low) {
			break
		}
	}
	return ""
}

// limited reads a condition, "outside main.go" or "without asking me", and reports
// whether there is one.
func (p *Prohibition) limited(part []token) bool {
	if len(part) == 0 {
		return false
	}
	if at := slices.IndexFunc(part, func(t token) bool { return conditions(t.low) }); at > 0 && ends(part[0].low) {
		part = part[at:] // "for validation outside of tests"
	}
	if first := part[0]; !conditions(first.low) && (first.kind != han || !anyIn(first.text, "除非", "除了", "以外")) {
		return false
	}
	places := placesIn(part[1:])
	if len(places) == 0 {
		p.Ask = true
	}
	p.Outside = append(p.Outside, places...)
	return true
}

// onlyNames reports whether a clause is nothing but names: ", b.go or c.go".
func (r *Reader) onlyNames(part []token) bool {
	found := false
	for _, t := range part {
		switch {
		case t.kind == word && joins(t.low), t.kind == han && len([]rune(t.text)) == 1 && !r.does(t):
		case t.kind == code || t.kind == word && exact(t.text):
			found = true
		case t.kind == word && len(part) <= maxPlain && !opens(t.low) && !common(t.low):
			if _, ok := r.verb(t); ok {
				return false
			}
			found = true
		default:
			return false
		}
	}
	return found
}

// does reports whether a token is a verb.
func (r *Reader) does(t token) bool {
	_, ok := r.verb(t)
	return ok
}

// maxPlain is how many words a clause of plain names may have: "or lodash".
const maxPlain = 2

// named reports whether is holds for one of the objects.
func named(all []Object, is func(*Object) bool) bool {
	for i := range all {
		if is(&all[i]) {
			return true
		}
	}
	return false
}

// anyIn reports whether a text has one of some parts.
func anyIn(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}
