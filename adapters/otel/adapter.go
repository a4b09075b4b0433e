package otel

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows OTLP.
type Adapter struct{}

// Tool names the source.
func (Adapter) Tool() core.Tool { return core.OTel }

// Places are none: what is received lies in the journal.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one file.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	return mcpedits.Edits(newParser(), new(edit.Files))
}

// Detect judges by how the first line begins: nothing else is an object with one
// of these lists in it.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	if !v.Exists() {
		line, _, _ := bytes.Cut(s.Head, []byte("\n"))
		for _, key := range []string{"resourceLogs", "resourceSpans", "resourceMetrics"} {
			if bytes.HasPrefix(bytes.TrimLeft(line, "{ \t\r"), []byte(`"`+key+`"`)) {
				return core.NativeFit
			}
		}
		return core.NoFit
	}
	for _, key := range []string{"resourceLogs", "resourceSpans", "resourceMetrics"} {
		if v.Get(key).Kind() == jsondoc.Array {
			return core.NativeFit
		}
	}
	return core.NoFit
}
