package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/view"
)

// maxPlaceholder bounds what is taken for a placeholder.
const maxPlaceholder = 96

// placeholder appends what stands for a secret.
func (e *Engine) placeholder(out []byte, rule int32, secret []byte) []byte {
	out = append(out, view.PlaceholderOpen...)
	out = append(out, e.set.rules[rule].Type...)
	if len(e.opts.DigestKey) > 0 {
		h := hmac.New(sha256.New, e.opts.DigestKey)
		h.Write(secret)
		out = append(out, ':')
		out = hex.AppendEncode(out, h.Sum(nil)[:2])
	}
	return append(out, ']')
}

// placeholderAt returns the length of the placeholder at the start of s, or 0.
func placeholderAt(s []byte) int {
	for i := len(view.PlaceholderOpen); i < len(s) && i < maxPlaceholder; i++ {
		c := s[i]
		switch {
		case c == ']' && i > len(view.PlaceholderOpen):
			return i + 1
		case c >= 'a' && c <= 'z', ascii.IsDigit(c), c == '_', c == ':':
		default:
			return 0
		}
	}
	return 0
}
