// Package schema validates events and nodes against the published schemas.
package schema

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schemas are the published schemas.
type Schemas struct {
	event, node, answer *jsonschema.Schema
}

// Load reads the schemas from their folder.
func Load(dir string) (*Schemas, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	names := []string{"event.v1.json", "node.v1.json", "answer.v1.json"}
	var ids []string
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("read schema %s: %w", name, err)
		}
		id, ok := doc.(map[string]any)["$id"].(string)
		if !ok {
			return nil, fmt.Errorf("read schema %s: %w", name, errNoID)
		}
		if err := c.AddResource(id, doc); err != nil {
			return nil, fmt.Errorf("add schema %s: %w", name, err)
		}
		ids = append(ids, id)
	}
	var s Schemas
	var err error
	for i, of := range []**jsonschema.Schema{&s.event, &s.node, &s.answer} {
		if *of, err = c.Compile(ids[i]); err != nil {
			return nil, fmt.Errorf("compile schema: %w", err)
		}
	}
	return &s, nil
}

var errNoID = errors.New("no $id")

// Event says what is wrong with an event as it is written; nil is nothing.
func (s *Schemas) Event(b []byte) error { return validate(s.event, b) }

// Node says what is wrong with a node as it is written; nil is nothing.
func (s *Schemas) Node(b []byte) error { return validate(s.node, b) }

// Answer says what is wrong with the answer to a query as it is written; nil is
// nothing.
func (s *Schemas) Answer(b []byte) error { return validate(s.answer, b) }

func validate(s *jsonschema.Schema, b []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
