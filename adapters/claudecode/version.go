package claudecode

import "github.com/memscribe/memscribe/core/jsondoc"

// version is the client's version that the last record named.
type version struct {
	text  string
	parts [3]int
}

func (v *version) see(named jsondoc.Value) {
	if named.Kind() != jsondoc.String || named.Is(v.text) {
		return
	}
	*v = version{text: named.Str()}
	i := 0
	for _, c := range []byte(v.text) {
		switch {
		case c == '.' && i < len(v.parts)-1:
			i++
		case c < '0' || c > '9':
			return
		default:
			v.parts[i] = min(v.parts[i]*10+int(c-'0'), 1<<20)
		}
	}
}

// atLeast reports whether the version is known and not before the given one.
func (v *version) atLeast(major, minor, patch int) bool {
	want := [3]int{major, minor, patch}
	for i, n := range v.parts {
		if n != want[i] {
			return n > want[i]
		}
	}
	return true
}
