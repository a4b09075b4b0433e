package copilot_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/testkit/size"
)

// state is what stands beside a log at one moment, and how much of the log is there.
type state struct {
	beside map[string][]byte
	lines  int
}

// composed composes a session of so many prompts, each of which edits two files that
// were never shown, and what stood beside it after each record: with the texts of
// both before it, of which only the index tells that their lines end as those of
// Windows. Every third prompt edits nothing that the client takes notice of.
// So many prompts, one after another, find the same texts.
func composed(t *testing.T, prompts, same int) (*script, []state) {
	t.Helper()
	s := &script{}
	s.event("session.start", obj{"sessionId": native})
	var index []obj
	texts := map[string][]byte{}
	var states []state
	note := func() {
		b, err := json.Marshal(obj{"schema": 1, "snapshots": index})
		if err != nil {
			t.Fatal(err)
		}
		now := maps.Clone(texts)
		now["rewind-file-snapshots/index.json"] = b
		now["workspace.yaml"] = []byte(workspaceOf("cwd: /w", fmt.Sprintf("updated_at: 2026-11-21T01:26:%02d.000Z", len(states)%60)))
		states = append(states, state{now, len(s.lines)})
	}
	note()
	for i := range prompts {
		prompt := s.id(len(s.lines))
		s.user(fmt.Sprintf("Do %d.", i))
		for n := range 2 {
			name := fmt.Sprintf("/w/f%d", (i+n)%3)
			before := fmt.Sprintf("a%d\r\nb\r\nc\r\nd\r\n", 2*(i/same)+n*(2-same))
			sum := sha256.Sum256([]byte(before))
			backup := hex.EncodeToString(sum[:])
			if i%3 != 2 {
				if n == 0 {
					index = append(index, obj{"eventId": prompt, "files": obj{}})
				}
				texts["rewind-file-snapshots/backups/"+backup] = []byte(before)
				index[len(index)-1]["files"].(obj)[fmt.Sprint(n)] = obj{ //nolint:forcetypeassert // two lines above
					"path": name, "preimage": obj{"kind": "content", "backupFile": backup, "contentHash": backup},
				}
			}
			call := fmt.Sprintf("c%d-%d", i, n)
			s.call(call, "edit", obj{"path": name, "old_str": "b\nc", "new_str": "x"})
			note()
			s.done(call, "updated", shown(name, fmt.Sprintf("@@ -1,5 +1,4 @@\n a%d\n-b\n-c\n+x\n d\n \n", 2*(i/same)+n*(2-same))))
			note()
		}
	}
	return s, states
}

// show tells a log's parser what has changed beside it since another state, and
// reports whether it can go on.
func (r *reading) show(before, now map[string][]byte) bool {
	changed := map[string][]byte{}
	var gone []string
	for name, content := range now {
		if old, ok := before[name]; !ok || string(old) != string(content) {
			changed[name] = content
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			gone = append(gone, name)
		}
	}
	return r.stream.Renew(changed, gone)
}

// TestRenew reads a log while what stands beside it changes: as it would be read at
// the end, and from its beginning only once, if the client notes what it is going to
// change before it does.
func TestRenew(t *testing.T) {
	set := sets(t)
	s, states := composed(t, 12, 1)
	last := states[len(states)-1]
	whole := beside(set, last.beside)
	whole.read(s.lines...)
	if strings.Count(whole.edits.String(), "\r\n") < 20 {
		t.Fatalf("the texts beside make no difference:\n%s", whole.edits.String())
	}
	live := beside(set, nil)
	was := map[string][]byte(nil)
	for i, st := range states {
		if !live.show(was, st.beside) {
			t.Fatalf("state %d: all has to be read anew", i)
		}
		was = st.beside
		live.read(s.lines[live.lines:st.lines]...)
	}
	if diff := cmp.Diff(whole.edits.String(), live.edits.String()); diff != "" {
		t.Errorf("edits (-replay +live):\n%s", diff)
	}
}

// TestRenewAnyOrder does the same whatever is seen first, and what is gone by then:
// what a parser has said stands, or it says that it does not.
func TestRenewAnyOrder(t *testing.T) {
	set := sets(t)
	s, states := composed(t, 8, 2)
	for seed := range uint64(size.Of(20, 100)) {
		random := rand.New(rand.NewPCG(seed, 1))
		was, again := states[0].beside, 0
		r := beside(set, was)
		for step := 0; r.lines < len(s.lines) || step < 40; step++ {
			now := maps.Clone(states[random.IntN(len(states))].beside)
			for _, name := range []string{"workspace.yaml", "rewind-file-snapshots/index.json"} {
				if random.IntN(4) == 0 {
					delete(now, name)
				}
			}
			for name := range now {
				if random.IntN(8) == 0 && strings.Contains(name, "backups") {
					delete(now, name)
				}
			}
			if !r.show(was, now) {
				lines := r.lines
				r, again = beside(set, now), again+1
				r.read(s.lines[:lines]...)
			}
			was = now
			r.read(s.lines[r.lines:min(len(s.lines), r.lines+random.IntN(5))]...)
		}
		whole := beside(set, was)
		whole.read(s.lines...)
		if diff := cmp.Diff(whole.edits.String()+whole.place, r.edits.String()+r.place); diff != "" {
			t.Fatalf("seed %d, read anew %d times (-replay +live):\n%s", seed, again, diff)
		}
	}
}
