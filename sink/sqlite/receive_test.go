package sqlite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestReceive: what others shared is beside one's own and marked; what was captured here and
// what another server gave stays as it is; what a server shares no more goes out with its mark.
func TestReceive(t *testing.T) {
	all := sinktest.NewMaker(5).Take(30)
	slices.SortFunc(all, func(a, b sink.Line) int { return strings.Compare(a.ID, b.ID) })
	all = slices.CompactFunc(all, func(a, b sink.Line) bool { return a.ID == b.ID })
	own, anns, carls := all[:5], all[5:12], all[12:14]
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, own...)
	a, b := sqlite.Origin{Server: "https://a", Namespace: "acme.app"}, sqlite.Origin{Server: "https://b", Namespace: "acme.app"}
	receive := func(from sqlite.Origin, by string, lines ...sink.Line) sqlite.Receipt {
		t.Helper()
		var nodes []sqlite.Shared
		for _, l := range lines {
			nodes = append(nodes, sqlite.Shared{Line: l, By: by})
		}
		r, err := s.Receive(t.Context(), from, nodes)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := receive(a, "Ann", slices.Concat(own, anns)...); r.Own != len(own) || len(r.Taken) != len(anns) || len(r.Elsewhere) != 0 {
		t.Errorf("of a: %+v", r)
	}
	if r := receive(b, "Carl", slices.Concat(anns[:1], carls)...); len(r.Taken) != len(carls) || !slices.Equal(r.Elsewhere, []string{anns[0].ID}) {
		t.Errorf("of b: %+v", r)
	}
	if r := receive(a, "Anna", anns[0]); len(r.Taken) != 1 {
		t.Errorf("of a once more: %+v", r)
	}
	apply(t, s, anns[6]) // captured here now: it is one's own
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		id     string
		shared *annotate.Shared
	}{
		{own[0].ID, nil},
		{anns[6].ID, nil},
		{anns[0].ID, &annotate.Shared{By: "Anna", Server: "https://a", Namespace: "acme.app"}},
		{anns[1].ID, &annotate.Shared{By: "Ann", Server: "https://a", Namespace: "acme.app"}},
		{carls[0].ID, &annotate.Shared{By: "Carl", Server: "https://b", Namespace: "acme.app"}},
	} {
		n, found, err := r.Node(t.Context(), want.id)
		if err != nil || !found {
			t.Fatalf("%s: %v", want.id, err)
		}
		if d := cmp.Diff(want.shared, n.Mark.Shared); d != "" {
			t.Errorf("%s, -want +got: %s", want.id, d)
		}
	}
	if err = r.Close(); err != nil {
		t.Fatal(err)
	}

	// Of one server nothing is left but one node, then nothing of any.
	if n, err := sqlite.ForgetReceived(t.Context(), file(dir), map[string]bool{anns[0].ID: true}, a); err != nil || n != len(anns)-2 {
		t.Errorf("%d were forgotten, %v", n, err)
	}
	if n, err := sqlite.ForgetReceived(t.Context(), file(dir), nil); err != nil || n != len(carls)+1 {
		t.Errorf("%d were forgotten, %v", n, err)
	}
	sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(append(slices.Clone(own), anns[6])))
	if left := ask[int](t, dir, "SELECT count(*) FROM received"); left[0] != 0 {
		t.Errorf("%d marks are left", left[0])
	}
}

// TestReceivedPaths files what others shared under the clone that is here.
func TestReceivedPaths(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	line := sink.Line{
		ID: "episode:1", Kind: "episode", JSON: []byte(`{"schema":"memscribe.node/v1","node":"episode","id":"episode:1","source":"codex","session_id":"s","seq":1,` +
			`"project":{"cwd":"/home/ann/app/sub"},"path":"/home/ann/app/src/a.go","diff":{"path":"/home/ann/app/src/a.go","change":"modify"}}`),
		Moved: sink.Moved{From: "/home/ann/app", To: "/home/bob/src/app"},
	}
	if _, err := s.Receive(t.Context(), sqlite.Origin{Server: "https://a", Namespace: "n"}, []sqlite.Shared{{Line: line, By: "Ann"}}); err != nil {
		t.Fatal(err)
	}
	if got := ask[string](t, dir, "SELECT project || ' ' || path FROM nodes"); !slices.Equal(got, []string{"/home/bob/src/app/sub /home/bob/src/app/src/a.go"}) {
		t.Errorf("it is filed under %q", got)
	}
}
