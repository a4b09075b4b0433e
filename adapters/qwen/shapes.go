package qwen

import _ "embed"

//go:embed shapes.txt
var shapes []byte

// Shapes implements [core.SchemaProvider].
func (Adapter) Shapes() []byte { return shapes }
