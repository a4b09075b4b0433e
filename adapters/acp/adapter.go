// Package acp parses logs of the Agent Client Protocol: the JSON-RPC messages that
// an editor or another client exchanged with an agent, one per line.
//
// docs/adapters/acp.md says what is known of the format, and how.
package acp

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the protocol, whoever speaks it.
type Adapter struct{}

// Tool names the protocol.
func (Adapter) Tool() core.Tool { return core.ACP }

// Places are none: an agent mostly has a transcript of its own, and would be told twice. A
// log is read when it is named.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one log.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{told: map[string]bool{}}
	return mcpedits.Edits(p, &p.Files)
}

// maxLead bounds the lines before the first message of the protocol.
const maxLead = 8

// Detect judges by the first message that names the protocol.
func (Adapter) Detect(s core.Sample) core.Fit {
	n := 0
	for _, v := range s.Records() {
		if n++; n > maxLead || v.Kind() != jsondoc.Object {
			return core.NoFit
		}
		switch method := v.Get("method").Str(); {
		case v.Get("schema").Is(journal):
		case !v.Get("jsonrpc").Is("2.0"):
			return core.NoFit
		case strings.HasPrefix(method, "session/"),
			method == "initialize" && v.Path("params", "clientCapabilities").Exists() && isNumber(v.Path("params", "protocolVersion")),
			v.Path("result", "agentCapabilities").Exists():
			return core.NativeFit
		}
	}
	return core.NoFit
}

// isNumber tells the versions of this protocol from those of MCP, which are dates.
func isNumber(v jsondoc.Value) bool { _, ok := v.Int(); return ok }
