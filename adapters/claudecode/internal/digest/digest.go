// Package digest makes numbers of ids and texts that only need to be told apart.
package digest

// Of is the 64-bit FNV-1a hash of b.
func Of(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
