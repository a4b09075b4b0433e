package rollout

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// ReadTokens reads a count, in which what came out of the cache is also input, and what
// was thought is also output.
func ReadTokens(v jsondoc.Value) core.Usage {
	var u core.Usage
	for name, n := range v.Fields() {
		switch string(name.Body()) {
		case "input_tokens":
			u.Input, _ = n.Int()
		case "output_tokens":
			u.Output, _ = n.Int()
		case "cached_input_tokens":
			u.CacheRead, _ = n.Int()
		case "cache_write_input_tokens":
			u.CacheCreation, _ = n.Int()
		case "reasoning_output_tokens":
			u.Reasoning, _ = n.Int()
		}
	}
	return u
}
