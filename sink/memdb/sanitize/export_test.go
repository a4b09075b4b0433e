package sanitize

// Overlooked returns the patterns that match a text which their prefilter passes over.
func (s *Sanitizer) Overlooked(text string) []string {
	var patterns []string
	for i := range s.rules {
		if r := &s.rules[i]; r.re.MatchString(text) && !r.prefilter.mayMatch([]byte(text)) {
			patterns = append(patterns, r.pattern)
		}
	}
	return patterns
}
