package rollout

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// ReadTokens reads a count, in which what came out of the cache is also input, and what
// was thought is also output.
func ReadTokens(v jsondoc.Value) core.Usage {
	return stream.Tokens(v, "input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens", "reasoning_output_tokens")
}
