package opencode

// Indented is the diff with the indentation that its sources show.
func Indented(diff, known, before, after string) string {
	return indented(diff, sources{known, before, after})
}
