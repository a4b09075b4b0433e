package tokens_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/nodedb/tokens"
)

// TestRows writes rows of all kinds and reads them again; no part of them can be read as all.
func TestRows(t *testing.T) {
	rows := []tokens.Row{
		{},
		{ID: [16]byte{1}, Model: []byte("opus"), Response: tokens.Response("r1"), Timed: true, Ms: 1_700_000_000_000, Input: 1, Output: 2, Reasoning: 3, CacheRead: 4, CacheCreation: 5, CacheCreation1h: 6},
		{ID: [16]byte{2}, Model: []byte("opus"), Response: math.MaxUint64, Fast: true, Input: math.MaxInt64, Output: -1},
		{ID: [16]byte{3}, Model: []byte{}, Timed: true, Ms: -5},
		{ID: [16]byte{4}, Model: []byte("sonnet"), Timed: true},
	}
	var part []byte
	last := ""
	ends := map[int]bool{0: true}
	for i := range rows {
		part = tokens.Append(part, &rows[i], last)
		last = string(rows[i].Model)
		ends[len(part)] = true
	}
	var got []tokens.Row
	if err := tokens.Read(part, func(r *tokens.Row) { got = append(got, *r) }); err != nil {
		t.Fatal(err)
	}
	same := cmp.Transformer("text", func(b []byte) string { return string(b) })
	if diff := cmp.Diff(rows, got, same); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	for n := range part {
		err := tokens.Read(part[:n], func(*tokens.Row) {})
		if (err == nil) != ends[n] || err != nil && !errors.Is(err, tokens.ErrDamaged) {
			t.Errorf("the first %d of %d bytes: %v", n, len(part), err)
		}
	}
	if tokens.Response("") != 0 || tokens.Response("a") == tokens.Response("b") || tokens.Response("a") != tokens.Response([]byte("a")) {
		t.Error("responses are mixed up")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(tokens.Append(nil, &tokens.Row{Model: []byte("m"), Response: 7, Timed: true, Ms: 9, Output: 300}, ""))
	f.Fuzz(func(t *testing.T, part []byte) {
		n := 0
		if err := tokens.Read(part, func(*tokens.Row) { n++ }); err != nil && !errors.Is(err, tokens.ErrDamaged) {
			t.Error(err)
		}
		if n > len(part)/(tokens.IDSize+1) {
			t.Errorf("%d rows in %d bytes", n, len(part))
		}
	})
}
