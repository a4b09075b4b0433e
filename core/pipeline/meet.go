package pipeline

// Meet calls f with streams of two sets, one of each, that have a node or a session in
// common: in one set they would be of one group. Where many streams share the same,
// one of each set stands for them. The order of the calls says nothing.
func (s *Set) Meet(o *Set, f func(mine, others *Stream)) {
	s.claims.meet(&o.claims, f)
	few, many, swapped := s.sessions, o.sessions, false
	if len(few) > len(many) {
		few, many, swapped = many, few, true
	}
	for key, ss := range few { // each for itself, in any order
		other := many[key]
		switch {
		case other == nil:
		case swapped:
			f(other.owner, ss.owner)
		default:
			f(ss.owner, other.owner)
		}
	}
}

// meet calls f with the streams whose claims to the same node stand.
func (x *claims) meet(y *claims, f func(mine, others *Stream)) {
	few, many := x, y
	if len(few.byNode) > len(many.byNode) {
		few, many = many, few
	}
	for key, c := range few.byNode { // each for itself, in any order
		one := few.of(c)
		d, ok := many.get(key)
		switch {
		case one == nil || !ok: // forgotten, or in one of the two only
		case few == x:
			f(one, many.of(d))
		default:
			f(many.of(d), one)
		}
	}
}
