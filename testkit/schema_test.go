package testkit_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/schema"
)

func TestSchemaOfFixtures(t *testing.T) { fitSchemas(t, fixtures) }

func fitSchemas(t *testing.T, root string) {
	s, err := schema.Load("../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	each(t, root, func(t *testing.T, c *session) { fits(t, s, c.result) })
}

// fits shows the first events and nodes that do not fit.
func fits(t *testing.T, s *schema.Schemas, r *trial.Result) {
	t.Helper()
	bad := 0
	for _, e := range r.Events() {
		if err := s.Event(e.JSON); err != nil && bad < 3 {
			t.Errorf("%.500s\n%v", e.JSON, err)
			bad++
		}
	}
	for _, n := range r.Nodes {
		if err := s.Node(n.JSON); err != nil && bad < 6 {
			t.Errorf("%.500s\n%v", n.JSON, err)
			bad++
		}
	}
}
