package prose

// Judged is how many lines of a turn are judged by what they look like.
func Judged(text string) int { p := project(text); return p.judged }
