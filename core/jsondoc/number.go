package jsondoc

import "strconv"

// Int returns the Number v as an int64. It reports false when v is not a
// Number or not exactly an int64, and when it is written in a way that no
// program writes integers in: the fraction may only be zeros (5.0), an exponent
// only follow an integer and not be negative (1e3).
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	b := v.Raw()
	i := 0
	for i < len(b) && b[i] != '.' && b[i]|0x20 != 'e' {
		i++
	}
	n, err := strconv.ParseInt(string(b[:i]), 10, 64)
	switch {
	case err != nil:
		return 0, false
	case i == len(b):
		return n, true
	case b[i] == '.':
		for _, c := range b[i+1:] {
			if c != '0' {
				return 0, false
			}
		}
		return n, true
	default:
		return scale(n, b[i+1:])
	}
}

// scale returns n times ten to the power exp.
func scale(n int64, exp []byte) (int64, bool) {
	e, err := strconv.ParseInt(string(exp), 10, 64)
	if err != nil || e < 0 {
		return 0, false
	}
	for ; e > 0 && n != 0; e-- {
		if n*10/10 != n {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// Float returns the Number v as the nearest float64. It reports false when v is
// not a Number, or too large for a float64.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}
