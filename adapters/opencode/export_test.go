package opencode

// Indented is the diff with the indentation that the call's strings show.
func Indented(diff, asked string) string { return indented(diff, asked) }
