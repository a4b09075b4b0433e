package decide

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/decide/signs"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// editFeatures adds the shapes that depend on whether the agent made an edit.
func editFeatures(b *bags, a *Asked, reply string, edited bool) {
	sh := &b.shape
	ed := yes(edited)
	sh.Add("edited ", ed)
	sh.Add("edited ", ed, " ", a.class)
	if reply = heard(reply); edited && strings.TrimSpace(reply) != "" {
		sh.Add("reply length ", lengthOfReply(reply), " edited")
	}
}

// heard returns the part of a reply that is read: its first [MaxReply] bytes, up to the end of
// a character.
func heard(reply string) string {
	if len(reply) <= MaxReply {
		return reply
	}
	end := MaxReply
	for end > 0 && reply[end]&0xc0 == 0x80 {
		end--
	}
	return reply[:end]
}

// lengthOfReply returns the bucket of a reply's length. Its last bucket means that all of what
// is read is used.
func lengthOfReply(reply string) string { return bucket(len(reply), 60, 150, 400, 990) }

// replyFeatures fills the bag reply and adds the shape of the reply: its first three sentences
// as n-grams and rules, its signs, its form, and how many terms of the turn it repeats.
func replyFeatures(rules *gate.Rules, b *bags, a *Asked, reply string) {
	sh := &b.shape
	b.reply.Reset()
	if reply = heard(reply); strings.TrimSpace(reply) == "" {
		sh.Add("reply none")
		sh.Add("reply none ", a.class)
		return
	}
	turn := b.read(reply)
	const most = 3
	n := min(most, len(turn.Sentences))
	for i, s := range turn.Sentences[:n] {
		if i == 0 {
			b.other.Grams(&b.reply, "reply begins: ", s.First, s.Last, 2)
			b.other.Grams(&b.reply, "reply opens with: ", s.First, min(s.First+4, s.Last), 3)
			b.other.Stems(&b.reply, "reply begins: ", s.First, s.Last)
			continue
		}
		b.other.Grams(&b.reply, "reply goes on: ", s.First, s.Last, 2)
	}
	rules.ScanTo(&b.scan, turn, func(i int) bool { return i < most })
	for i := range n {
		place := inReplyNext
		if i == 0 {
			place = inReplyFirst
		}
		b.addHits(sh, place, b.scan.Of(i))
	}
	first := reply
	if n > 0 {
		first = turn.Sentences[0].In(reply)
	}
	const begins = 300
	low, lowFirst := words.Lower(reply[:min(len(reply), begins)]), words.Lower(first)
	if b.replySigns == nil {
		b.replySigns = signs.New(signs.Reply())
	}
	var said, saidFirst uint32
	if n > 0 && inside(low, turn.Sentences[0].Span, lowFirst) {
		said, saidFirst = b.replySigns.InBoth(low, turn.Sentences[0].Span)
	} else {
		said, saidFirst = b.replySigns.In(low), b.replySigns.In(lowFirst)
		if n > 0 && turn.Sentences[0].End <= begins { // signs of the first sentence are signs of the beginning
			saidFirst &= said
		}
	}
	for i, name := range b.replySigns.Names {
		if said>>i&1 != 0 {
			sh.Add("reply ", name)
		}
		if saidFirst>>i&1 != 0 {
			sh.Add("reply first ", name)
			sh.Add("reply first ", name, " ", a.class)
		}
	}
	sh.Add("reply length ", lengthOfReply(reply))
	sh.Add("reply first length ", bucket(len(first), 30, 60, 100, 200))
	sh.Add("reply has code ", yes(strings.Contains(reply, "```")))
	sh.Add("reply has headings ", yes(strings.Contains(reply, "\n#") || strings.HasPrefix(reply, "#")))
	sh.Add("reply has a table ", yes(strings.Contains(reply, "\n|")))
	sh.Add("reply has items ", bucket(strings.Count(reply, "\n- ")+strings.Count(reply, "\n* ")+strings.Count(reply, "\n1. ")+strings.Count(reply, "\n2. "), 0, 2, 5))
	sh.Add("reply ends asking ", yes(strings.HasSuffix(strings.TrimSpace(reply), "?") || strings.HasSuffix(strings.TrimSpace(reply), "？")))
	sh.Add("reply first ends in colon ", yes(strings.HasSuffix(first, ":") || strings.HasSuffix(first, "：")))
	sh.Add("reply paragraphs ", bucket(strings.Count(reply, "\n\n"), 0, 1, 3, 6))
	a.overlap(b, turn, lowFirst)
}

// inside reports whether a part of a text is at a span of the whole. In some languages lower
// case has another length in bytes, so that it may not be.
func inside(whole string, at prose.Span, part string) bool {
	return at.End <= len(whole) && at.In(whole) == part
}

// overlap adds how many of the turn's terms the reply repeats: of all, of those that the
// message before did not have, and of names.
func (a *Asked) overlap(b *bags, reply *prose.Turn, first string) {
	sh := &b.shape
	have, inFirst := b.cleared(0), b.cleared(1)
	terms(reply, func(h uint64, exact bool, at int) {
		have.Add(h | 1)
		if at < len(first) {
			inFirst.Add(h | 1)
		}
	})
	shared, fresh, firsts, exact := 0, 0, 0, 0
	for i, t := range a.terms {
		if !have.Has(t | 1) {
			continue
		}
		shared++
		if t&1 == 0 {
			fresh++
		}
		if inFirst.Has(t | 1) {
			firsts++
		}
		if i < a.exact {
			exact++
		}
	}
	sh.Add("takes up ", bucket(shared, 0, 1, 2, 4, 8))
	sh.Add("takes up of all ", bucket(100*shared/max(1, len(a.terms)), 0, 15, 30, 50, 70))
	sh.Add("takes up first ", bucket(firsts, 0, 1, 2, 4))
	sh.Add("takes up new ", bucket(fresh, 0, 1, 2, 4))
	if a.exact > 0 {
		sh.Add("takes up names ", bucket(100*exact/a.exact, 0, 34, 67))
	}
}

// terms calls f for each term of a text: words of at least four bytes, numbers, names and
// identifiers, and pairs of characters in scripts without blanks. exact is true for a term that
// is not a plain word; at is its offset.
func terms(t *prose.Turn, f func(hash uint64, exact bool, at int)) {
	var short [48]byte
	for k, tok := range t.Tokens {
		s := tok.In(t.Text)
		switch tok.Kind {
		case prose.Mark:
		case prose.Glyph:
			if k+1 < len(t.Tokens) && t.Tokens[k+1].Kind == prose.Glyph {
				f(score.Hash(s, t.Tokens[k+1].In(t.Text)), false, tok.Start)
			}
		case prose.Word:
			if len(s) < 4 && isASCII(s) {
				continue
			}
			low := words.AppendLower(short[:0], s)
			if len(low) >= 4 && !words.Function(string(low)) && !words.Article(string(low)) {
				f(score.HashBytes(low), false, tok.Start)
			}
		default:
			f(score.HashBytes(words.AppendLower(short[:0], strings.Trim(s, "`\"'“”"))), true, tok.Start)
		}
	}
}

// isASCII reports whether s is ASCII, so that its lower case has the same length.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// keep returns what is kept of the turn until its reply is known, and adds how many of its
// terms the message before has. At most 200 different terms are kept.
func (r *turn) keep(b *bags) *Asked {
	a := &Asked{}
	before, seen := b.cleared(0), b.cleared(1)
	// the message before
	terms(&b.reading, func(h uint64, exact bool, at int) { before.Add(h | 1) })
	exact, rest := b.exact[:0], b.rest[:0]
	terms(&r.Turn, func(h uint64, named bool, at int) {
		if seen.Len() > 200 || !seen.Add(h|1) {
			return
		}
		v := h &^ 1
		if before.Has(h | 1) {
			v |= 1
		}
		if named {
			exact = append(exact, v)
		} else {
			rest = append(rest, v)
		}
	})
	a.exact = len(exact)
	a.terms = slices.Concat(exact, rest)
	b.exact, b.rest = exact, rest
	a.class = r.class()
	b.shape.Add("says again ", bucket(100*r.sharedTerms(a)/max(1, len(a.terms)), 0, 15, 30, 50, 70))
	return a
}

// sharedTerms returns how many of the turn's terms the message before has.
func (r *turn) sharedTerms(a *Asked) int {
	n := 0
	for _, t := range a.terms {
		n += int(t & 1)
	}
	return n
}

// class returns a coarse class of the turn: the group of its strongest clause, and whether it
// asks. The same reply means something else after a question than after an order.
func (r *turn) class() string {
	n := len(r.Turn.Sentences)
	if n == 0 {
		return "empty"
	}
	asks := false
	best := words.None
	for i := range r.Turn.Sentences {
		if s := r.Turn.Sentences[i]; r.Ends(s) == '?' || strings.HasSuffix(s.In(r.Turn.Text), "？") {
			asks = true
		}
		for _, c := range r.Clauses(i) {
			if c.Group.Outranks(best) {
				best = c.Group
			}
		}
	}
	name := best.String()
	if asks {
		name += " asks"
	}
	return name
}
