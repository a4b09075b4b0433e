package pipeline

// EachShared calls f for each node and session that two sets have in common, with a stream
// of each set: in one set the two would be in one group. The order of calls is random.
func (s *Set) EachShared(o *Set, f func(mine, others *Stream)) {
	s.claims.eachShared(&o.claims, f)
	few, many, swapped := s.sessions, o.sessions, false
	if len(few) > len(many) {
		few, many, swapped = many, few, true
	}
	for key, ss := range few { // in any order
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

// eachShared calls f with the streams that have the best claims to the same node.
func (x *claims) eachShared(y *claims, f func(mine, others *Stream)) {
	few, many := x, y
	if len(few.byNode) > len(many.byNode) {
		few, many = many, few
	}
	for key, c := range few.byNode { // in any order
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
