package prose

import "strings"

// Attachment returns the length of the placeholder that a text begins with if a tool wrote it
// for an image or a paste, such as "[Image #1]". It returns 0 if there is none.
func Attachment(s string) int {
	for _, kind := range [...]string{"[Image", "[image", "[Pasted text", "[Attachment"} {
		if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, kind) && end > 0 {
			return end + 1
		}
	}
	return 0
}
