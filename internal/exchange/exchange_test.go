package exchange_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/exchange"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/testkit/size"
)

// machine is one of a person's machines, whose nodes are a map.
type machine struct {
	t         *testing.T
	notes     string
	key       *exchange.Key
	nodes     map[string]string
	forgotten map[string]bool
	aside     []string
}

func newMachine(t *testing.T, key *exchange.Key) *machine {
	t.Helper()
	return &machine{t: t, notes: filepath.Join(t.TempDir(), "state", "notes.db"), key: key, nodes: map[string]string{}, forgotten: map[string]bool{}}
}

func newKey(t *testing.T) *exchange.Key {
	t.Helper()
	name := filepath.Join(t.TempDir(), "key")
	if err := exchange.NewKey(name); err != nil {
		t.Fatal(err)
	}
	key, err := exchange.ReadKey(name)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// node is the JSON of a decision.
func node(id, epitome string) string {
	return fmt.Sprintf(`{"schema":%q,"node":"decision","id":%q,"source":"codex","session_id":"s","seq":1,"epitome":%q}`, core.NodeSchema, "decision:"+id, epitome)
}

// says has the machine capture a decision.
func (m *machine) says(id, epitome string) { m.nodes["decision:"+id] = node(id, epitome) }

func (m *machine) Each(_ context.Context, do func(*sink.Line) error) error {
	for _, id := range slices.Sorted(maps.Keys(m.nodes)) {
		if err := do(&sink.Line{ID: id, Kind: "decision", JSON: []byte(m.nodes[id])}); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) Held(_ context.Context, ids []string) (map[string]exchange.Digest, error) {
	held := map[string]exchange.Digest{}
	for _, id := range ids {
		if text, ok := m.nodes[id]; ok {
			held[id] = exchange.DigestOf([]byte(text))
		}
	}
	return held, nil
}

func (m *machine) Forgotten(node []byte) (bool, error) {
	for id := range m.forgotten {
		if bytes.Contains(node, []byte(id)) {
			return true, nil
		}
	}
	return false, nil
}

func (m *machine) Take(_ context.Context, nodes []sink.Line) error {
	for i := range nodes {
		m.nodes[nodes[i].ID] = string(nodes[i].JSON)
	}
	return nil
}

func (m *machine) run(place exchange.Place) (exchange.Result, error) {
	x := exchange.Exchange{Place: place, Store: m, Key: m.key, Notes: m.notes, Aside: func(err error) { m.aside = append(m.aside, err.Error()) }}
	return x.Run(m.t.Context())
}

// meets exchanges, which must go well.
func (m *machine) meets(place exchange.Place) exchange.Result {
	m.t.Helper()
	r, err := m.run(place)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func TestExchange(t *testing.T) {
	key, place := newKey(t), exchange.Folder(t.TempDir())
	a, b := newMachine(t, key), newMachine(t, key)
	a.says("1", "use tabs")
	a.says("2", "no lodash")
	b.says("3", "tokens expire after 15 minutes")
	b.says("2", "no lodash, as it stands here")
	if r := a.meets(place); r != (exchange.Result{Sent: 2}) {
		t.Errorf("a: %+v", r)
	}
	if r := b.meets(place); r != (exchange.Result{Sent: 2, Received: 1, Own: 1, Machines: 1}) {
		t.Errorf("b: %+v", r)
	}
	if r := a.meets(place); r != (exchange.Result{Received: 1, Own: 1, Machines: 1}) {
		t.Errorf("a again: %+v", r)
	}
	if a.nodes["decision:2"] == b.nodes["decision:2"] {
		t.Error("what was captured on a machine was replaced by what another one has")
	}
	if r := b.meets(place); r != (exchange.Result{Machines: 1}) {
		t.Errorf("nothing is new, and b: %+v", r)
	}
	a.says("1", "use tabs of four")
	if r := a.meets(place); r.Sent != 1 {
		t.Errorf("a has changed one: %+v", r)
	}
	if b.meets(place); b.nodes["decision:1"] != node("1", "use tabs of four") {
		t.Errorf("b has %s", b.nodes["decision:1"])
	}
	b.forgotten["decision:4"] = true
	a.says("4", "a secret plan")
	a.meets(place)
	if r := b.meets(place); r.Forgotten != 1 || b.nodes["decision:4"] != "" {
		t.Errorf("what was forgotten came back: %+v", r)
	}
	if len(a.aside)+len(b.aside) > 0 {
		t.Errorf("aside: %q %q", a.aside, b.aside)
	}
}

// TestTooLargeToBeRead: a node that no machine would read is named and not sent, and the others are.
func TestTooLargeToBeRead(t *testing.T) {
	size.NeedsNoDetector(t)
	key, place := newKey(t), exchange.Folder(t.TempDir())
	a, b := newMachine(t, key), newMachine(t, key)
	a.says("1", "use tabs")
	a.says("2", strings.Repeat("long ", 12<<20))
	a.says("3", "no lodash")
	if r := a.meets(place); r.Sent != 2 || len(a.aside) != 1 || !strings.Contains(a.aside[0], "decision:2") {
		t.Errorf("a: %+v, aside %.200q", r, a.aside)
	}
	if r := b.meets(place); r.Received != 2 || len(b.aside) != 0 {
		t.Errorf("b: %+v, aside %q", r, b.aside)
	}
}

// TestNothingIsReadable shows that who sees the folder sees none of the words, and that a file
// that was changed, renamed or made with another key is named and not read.
func TestNothingIsReadable(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	a, b := newMachine(t, key), newMachine(t, key)
	a.says("1", strings.Repeat("the quick brown fox ", 50))
	a.meets(exchange.Folder(dir))
	names, err := filepath.Glob(filepath.Join(dir, exchange.Root, "*", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(good, []byte("quick")) || bytes.Contains(good, []byte("decision")) {
		t.Error("the file can be read without the key")
	}
	put := func(name string, data []byte) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		make func()
		want string
	}{
		{"a byte is another", func() { bad := bytes.Clone(good); bad[len(bad)-3] ^= 1; put(names[0], bad) }, "read shared file"},
		{"the end is missing", func() { put(names[0], good[:len(good)-20]) }, "read shared file"},
		{"another machine's name", func() {
			put(names[0], good)
			put(filepath.Join(dir, exchange.Root, strings.Repeat("a", 16), "00000001.age"), good)
		}, "written under another name"},
	} {
		c.make()
		if r := b.meets(exchange.Folder(dir)); r.Aside != 1 || !strings.Contains(b.aside[len(b.aside)-1], c.want) {
			t.Errorf("%s: %+v, %q", c.name, r, b.aside)
		}
	}
	if b.nodes["decision:1"] == "" {
		t.Error("what is well was not read beside what is not")
	}
	stranger := newMachine(t, newKey(t))
	if r := stranger.meets(exchange.Folder(dir)); r.Received != 0 || r.Aside == 0 || !strings.Contains(stranger.aside[0], "another key") {
		t.Errorf("without the key: %+v, %q", r, stranger.aside)
	}
}

// TestFilesWait shows that a file waits for the one before it, as where a folder comes into
// step bit by bit.
func TestFilesWait(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	a, b := newMachine(t, key), newMachine(t, key)
	for i := range 3 {
		a.says("x", fmt.Sprint("version ", i))
		a.meets(exchange.Folder(dir))
	}
	names, err := filepath.Glob(filepath.Join(dir, exchange.Root, "*", "00000002.age"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	if err = os.Rename(names[0], names[0]+".late"); err != nil {
		t.Fatal(err)
	}
	if r := b.meets(exchange.Folder(dir)); r.Received != 1 || r.Aside != 1 {
		t.Errorf("%+v", r)
	}
	if err = os.Rename(names[0]+".late", names[0]); err != nil {
		t.Fatal(err)
	}
	if b.meets(exchange.Folder(dir)); b.nodes["decision:x"] != node("x", "version 2") {
		t.Errorf("b has %s", b.nodes["decision:x"])
	}
}

// failing is a folder whose calls fail from some number on: before they do anything, or after.
type failing struct {
	exchange.Folder

	left  int
	after bool
}

var errFails = errors.New("the folder is away")

func (f *failing) Write(ctx context.Context, name string, data []byte) error {
	if f.left--; f.left < 0 && !f.after {
		return errFails
	}
	err := f.Folder.Write(ctx, name, data)
	if f.left < 0 && err == nil {
		err = errFails
	}
	return err
}

func (f *failing) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	if f.left--; f.left < 0 {
		return nil, errFails
	}
	return f.Folder.Read(ctx, name, most)
}

// TestAnyOrder has machines capture, change and meet in any order, with folders that fail and
// notes that are lost or copied. In the end all hold the last words of everything.
func TestAnyOrder(t *testing.T) {
	size.NeedsNoDetector(t)
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			key, dir := newKey(t), exchange.Folder(t.TempDir())
			machines := []*machine{newMachine(t, key), newMachine(t, key), newMachine(t, key)}
			want := map[string]string{}
			for step := range 30 {
				k := r.IntN(len(machines))
				m := machines[k]
				switch n := r.IntN(10); {
				case n < 4:
					id := fmt.Sprint(k, "-", r.IntN(6)) // each is captured on one machine
					m.says(id, fmt.Sprint("step ", step))
					want["decision:"+id] = m.nodes["decision:"+id]
				case n < 7:
					m.meets(dir)
				case n < 9:
					_, _ = m.run(&failing{Folder: dir, left: r.IntN(3), after: r.IntN(2) == 0})
				case n < 10 && r.IntN(4) == 0:
					m.notes = filepath.Join(t.TempDir(), "notes.db")
				}
			}
			for range 2 {
				for _, m := range machines {
					m.meets(dir)
				}
			}
			for i, m := range machines {
				if diff := cmp.Diff(want, m.nodes); diff != "" {
					t.Errorf("machine %d (-want +have):\n%s", i, diff)
				}
				if again := m.meets(dir); again.Sent != 0 || again.Received != 0 || again.Aside != 0 {
					t.Errorf("machine %d: nothing is new, and %+v", i, again)
				}
			}
		})
	}
}

// TestCopiedNotes has a machine that was set up from a copy of another one: both go by one
// name, and neither may write over what the other has written.
func TestCopiedNotes(t *testing.T) {
	key, dir := newKey(t), exchange.Folder(t.TempDir())
	a := newMachine(t, key)
	a.says("1", "before")
	a.meets(dir)
	b := newMachine(t, key)
	maps.Copy(b.nodes, a.nodes)
	if err := os.CopyFS(filepath.Dir(b.notes), os.DirFS(filepath.Dir(a.notes))); err != nil {
		t.Fatal(err)
	}
	a.says("2", "on a")
	b.says("3", "on b")
	for range 2 {
		a.meets(dir)
		b.meets(dir)
	}
	if diff := cmp.Diff(a.nodes, b.nodes); diff != "" || len(a.nodes) != 3 {
		t.Errorf("(-a +b):\n%s", diff)
	}
}

func TestParseSSH(t *testing.T) {
	for address, want := range map[string]string{
		"ssh://host/srv/sync":       "",
		"ssh://me@host:2222/~/sync": "",
		"ssh://host":                "not of the form",
		"ssh://host/":               "not of the form",
		"ssh://me:secret@host/sync": "password",
		"ssh://-oProxyCommand=x/y":  "begin with -",
		"https://host/sync":         "not of the form",
	} {
		_, err := exchange.ParseSSH(address)
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(got, want) && err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	name := filepath.Join(f.TempDir(), "key")
	if err := exchange.NewKey(name); err != nil {
		f.Fatal(err)
	}
	key, err := exchange.ReadKey(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(node("1", "x") + "\n"))
	f.Add([]byte("{}\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		sealed, err := exchange.Seal(key, lines)
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := exchange.Open(key, sealed)
		if err != nil {
			return
		}
		for i := range nodes {
			if !bytes.Contains(lines, nodes[i].JSON) || nodes[i].ID == "" {
				t.Errorf("%q became %q", lines, nodes[i].JSON)
			}
		}
	})
}
