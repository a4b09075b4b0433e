package decide

import "github.com/memscribe/memscribe/core/decide/naming"

// banned reports whether a passage forbids something: by the rules, unless what it says is no
// ban, or in the words of another language.
func (r *turn) banned(p passage) bool {
	for i := p.first; i <= p.last; i++ {
		own := r.Turn.Sentences[i].In(r.Turn.Text)
		if naming.Forbids(own) || r.forbids(i, r.familiesOf(i)) && !naming.Excused(own) {
			return true
		}
	}
	return false
}
