package pgstore_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// team is a database with so many memories, and the state folder of its server.
func team(t *testing.T, url string, memories int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := pgstore.Open(t.Context(), url, options(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.PutNamespace(t.Context(), "team", api.NamespacePut{})
	for i := range memories {
		_, failed := s.Write(t.Context(), "team", note(fmt.Sprint("m", i), fmt.Sprint("content of ", i)))
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files are those of the key in a folder, with what they hold.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "memdb.*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = string(text)
	}
	return all
}

// older takes the last entries of a chain with all that hangs on them, as a copy has it
// that was made before.
const older = `DELETE FROM entries WHERE namespace = 'team' AND seq > 3; DELETE FROM versions WHERE namespace = 'team' AND seq > 3;
	DELETE FROM memories WHERE namespace = 'team' AND seq > 3;
	UPDATE chains SET length = 3, hash = (SELECT hash FROM entries WHERE namespace = 'team' AND seq = 3) WHERE namespace = 'team'`

// TestRekey opens databases that are not what a server signed: each is refused with
// what to do, and nothing is signed. Rekey accepts them with a mark in the chain of keys
// and keeps what was signed before; then they are written to again, and a server that
// has a key of its own serves on.
func TestRekey(t *testing.T) {
	server := postgres.Start(t)
	for what, tt := range map[string]struct {
		statement string // done to the database
		remove    string // from the state folder
		want      error
	}{
		"restored from an older copy": {older, "", pgstore.ErrBroken},
		"its checkpoint gone":         {"", "memdb.checkpoint", pgstore.ErrUnsigned},
		"its key gone":                {"", "memdb.key", pgstore.ErrUnsigned},
		"restored, and its key gone":  {older, "memdb.key", pgstore.ErrUnsigned},
	} {
		t.Run(what, func(t *testing.T) {
			url := server.Database()
			dir := team(t, url, 5)
			if tt.statement != "" {
				if _, err := connect(t, url).Exec(t.Context(), tt.statement); err != nil {
					t.Fatal(err)
				}
			}
			if tt.remove != "" {
				if err := os.Remove(filepath.Join(dir, tt.remove)); err != nil {
					t.Fatal(err)
				}
			}
			other := open(t, url, t.TempDir())
			before := files(t, dir)
			s, err := pgstore.Open(t.Context(), url, options(dir))
			if err == nil {
				_ = s.Close() // it should not be open
			}
			if !errors.Is(err, tt.want) || !sink.IsFault(err) || !strings.Contains(err.Error(), "'memscribe memdb rekey'") {
				t.Fatalf("opened: %v, want %v", err, tt.want)
			}
			if after := files(t, dir); !maps.Equal(after, before) {
				t.Errorf("what is signed was %v and is %v", before, after)
			}
			rekeyed(t, url, dir, other)
		})
	}
}

// rekeyed accepts a database and wants it to be good from then on, also for another
// server.
func rekeyed(t *testing.T, url, dir string, other *pgstore.Store) {
	t.Helper()
	r, err := pgstore.Rekey(t.Context(), url, options(dir))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, url, dir)
	for i, one := range []*pgstore.Store{s, other} {
		if _, err := one.Write(t.Context(), "team", note(fmt.Sprint("later", i), "comes later")); err != nil {
			t.Error(err)
		}
		if err := one.Checkpoint(t.Context()); err != nil {
			t.Error(err)
		}
	}
	report, err := s.Verify(t.Context())
	if err != nil || !report.OK || report.Rekeyed != r.Entry || r.Entry != 1 || report.Checkpoint <= r.Heads.Head().Length {
		t.Errorf("verify: %+v, %+v, %v; the new key is entry %d of 1", report, report.Fault, err, r.Entry)
	}
	found, err := s.Namespaces(t.Context(), "", 10)
	if err != nil || len(found) != 1 {
		t.Errorf("the chain of keys is no namespace: %v, %v", found, err)
	}
}

// TestRekeyKeepsWhatWasSigned wants the old checkpoint to stay readable with the old
// key, to say how much is missing, and to convict the database when it is given back.
func TestRekeyKeepsWhatWasSigned(t *testing.T) {
	url := postgres.Start(t).Database()
	dir := team(t, url, 5)
	if _, err := connect(t, url).Exec(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	for round := range 2 { // it can be done twice
		r, err := pgstore.Rekey(t.Context(), url, options(dir))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Kept) != 2 {
			t.Fatalf("kept %v", r.Kept)
		}
		kept := files(t, dir)
		key, err := chain.NewVerifier(kept[filepath.Base(r.Kept[1])])
		if err != nil {
			t.Fatal(err)
		}
		signed, err := key.ReadHeads(kept[filepath.Base(r.Kept[0])])
		if err != nil || !maps.Equal(signed, r.Signed) || len(signed) == 0 {
			t.Errorf("round %d: the old checkpoint is of %v, want %v: %v", round, signed, r.Signed, err)
		}
		report, err := pgstore.VerifyURL(t.Context(), url, pgstore.VerifyOptions{StateDir: dir, Checkpoints: []chain.Heads{signed}})
		if err != nil || report.OK != (round > 0) || round == 0 && report.Fault.Reason != chain.Truncated {
			t.Errorf("round %d: verify by the old checkpoint: %+v, %+v, %v", round, report, report.Fault, err)
		}
		if round > 0 && report.Rekeyed != 2 {
			t.Errorf("the last key is entry %d, want 2", report.Rekeyed)
		}
	}
}

// TestRekeyRefusesWhatIsBad does not sign a memory that was changed.
func TestRekeyRefusesWhatIsBad(t *testing.T) {
	url := postgres.Start(t).Database()
	dir := team(t, url, 2)
	if _, err := connect(t, url).Exec(t.Context(), "UPDATE versions SET record = replace(record, 'content of', 'content on')"); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	if _, err := pgstore.Rekey(t.Context(), url, options(dir)); !sink.IsFault(err) || !strings.Contains(err.Error(), "record_mismatch") {
		t.Errorf("rekeyed: %v", err)
	}
	if after := files(t, dir); !maps.Equal(after, before) {
		t.Errorf("what is signed was %v and is %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
}
