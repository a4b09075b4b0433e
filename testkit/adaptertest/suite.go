package adaptertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/scenario"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
	"github.com/memscribe/memscribe/testkit/brief"
	"github.com/memscribe/memscribe/testkit/golden"
)

// The corpus of the repository, as seen from the package of an adapter.
const (
	corpusRoot   = "../../fixtures"
	expectedRoot = "../../fixtures-expected"
)

// Sample is a transcript that a test has made.
type Sample struct {
	Path string
	Data string
}

// Suite is what every adapter passes, over each recording of its tool in the
// corpus: the expected output, what really happened, the statement of the
// scenario, the invariants of the contract, and arrival in pieces or, of a
// document, in every state that it had. Samples are held to what holds of any
// transcript; a tool without recordings has at least one.
func Suite(t *testing.T, a core.Adapter, samples ...Sample) {
	cases := cases(t, a)
	if len(cases)+len(samples) == 0 {
		t.Errorf("nothing of %s is read", a.Tool())
	}
	statements, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Version+"/"+c.Scenario, func(t *testing.T) {
			inputs, err := trial.Inputs(c, a)
			result, again := trial.Whole(inputs, nil)
			if err = errors.Join(err, again); err != nil {
				t.Fatal(err)
			}
			expected(t, cases, c, result)
			tell(t, "truth", truth.Check(c, result))
			tell(t, "invariant", invariant.Result(result))
			conforms(t, statements, c, result)
			pieces(t, inputs, 1)
			states(t, inputs)
		})
	}
	for i, s := range samples {
		t.Run(fmt.Sprintf("sample %d", i), func(t *testing.T) {
			inputs := []trial.Input{{Adapter: a, Path: s.Path, Name: filepath.Base(s.Path), Data: []byte(s.Data)}}
			through(t, inputs)
			states(t, inputs)
		})
	}
}

// cases are the recordings of an adapter's tool in the corpus.
func cases(t testing.TB, a core.Adapter) []*corpus.Case {
	t.Helper()
	all, err := corpus.Load(corpusRoot, a.Tool())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func tell(t *testing.T, what string, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Errorf("%s: %s", what, p)
	}
}

// expected compares what came out with what was read and accepted.
func expected(t *testing.T, all []*corpus.Case, c *corpus.Case, r *trial.Result) {
	t.Helper()
	var nodes bytes.Buffer
	for _, n := range r.Nodes {
		nodes.Write(append(n.JSON, '\n'))
	}
	file, events := brief.Name(all, c, r.Events())
	for name, got := range map[string][]byte{file: []byte(events), "nodes.ndjson": nodes.Bytes()} {
		want, err := os.ReadFile(filepath.Join(expectedRoot, filepath.FromSlash(c.Name()), name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is expected (go test ./testkit -update accepts it): %v\n%s", name, err, golden.Diff(want, got))
		}
	}
}

// conforms holds a session to the statement of its scenario.
func conforms(t *testing.T, all []scenario.Statement, c *corpus.Case, r *trial.Result) {
	t.Helper()
	want, ok := scenario.For(all, c)
	if !ok {
		t.Fatalf("no statement of %s", c.Scenario)
	}
	shape := scenario.Shape(r, c.Truth.Repo)
	if line, ok := want.Holds(shape); !ok {
		t.Errorf("from line %d on it shows\n  %s\nwant\n  %s", line, strings.Join(shape, "\n  "), strings.Join(want.Lines, "\n  "))
	}
}

// maxStates is how many states of a document are read.
const maxStates = 12

// states has each document be what it was before: a list that was shorter. What a
// sink holds after all states is what the last one gives.
func states(t *testing.T, inputs []trial.Input) {
	t.Helper()
	for i, in := range inputs {
		if in.Framing() != core.Document {
			continue
		}
		held := map[string]string{}
		var last *chunk.Outcome
		for _, state := range append(shorter(in.Data), in.Data) {
			then := slices.Clone(inputs)
			then[i].Data = state
			o, err := chunk.Play(then, chunk.Whole(then), false)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(held, o.Nodes)
			last = o
		}
		for _, d := range chunk.DifferentNodes(last, &chunk.Outcome{Nodes: held}) {
			t.Errorf("%s, state after state: %s", in.Name, d)
		}
	}
}

// shorter makes of a document those that it was while its longest list grew: what
// is in it keeps its bytes.
func shorter(data []byte) [][]byte {
	whole, list := longest(data)
	var all [][]byte
	step := 1 + len(list)/maxStates
	for n := 0; n < len(list); n += step {
		state := slices.Concat([]byte("["), bytes.Join(asBytes(list[:n]), []byte(",")), []byte("]"))
		all = append(all, bytes.Replace(data, whole, state, 1))
	}
	return all
}

// longest is the longest list of a document, and its elements: the document
// itself, or one of its members.
func longest(data []byte) (whole []byte, list []json.RawMessage) {
	if json.Unmarshal(data, &list) == nil {
		return bytes.TrimSpace(data), list
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(data, &members) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var l []json.RawMessage
		if json.Unmarshal(members[name], &l) == nil && len(l) > len(list) {
			whole, list = members[name], l
		}
	}
	return whole, list
}

func asBytes(list []json.RawMessage) (all [][]byte) {
	for _, m := range list {
		all = append(all, m)
	}
	return all
}
