package prose

import "strings"

// Attachment returns how many bytes at the beginning of a text are what a tool writes for an image or a paste:
// "[Image #1]". 0 if there is none.
func Attachment(s string) int {
	for _, kind := range [...]string{"[Image", "[image", "[Pasted text", "[Attachment"} {
		if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, kind) && end > 0 {
			return end + 1
		}
	}
	return 0
}
