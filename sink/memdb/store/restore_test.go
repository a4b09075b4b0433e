package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// grown is a folder with a database of memories, and its bytes when it held fewer.
func grown(t *testing.T) (dir string, older []byte) {
	t.Helper()
	dir = t.TempDir()
	write := func(id string) {
		s, err := store.Open(t.Context(), file(dir), options(dir, newClock()))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = s.PutNamespace(t.Context(), "team", api.NamespacePut{})
		_, err2 := s.Write(t.Context(), "team", []api.MemoryWrite{note(id, "says "+id)})
		if err := errors.Join(err, err2, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	older, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	write("b")
	write("c")
	return dir, older
}

func remove(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
}

// losses are the ways in which a database and what was signed of it part. Those
// that Verify cannot see are told by Open alone.
func losses() map[string]struct {
	do   func(t *testing.T, dir string, older []byte)
	want error
} {
	restore := func(t *testing.T, dir string, older []byte) {
		t.Helper()
		if err := os.WriteFile(file(dir), older, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(dir, name string) string { return filepath.Join(dir, "state", name) }
	return map[string]struct {
		do   func(t *testing.T, dir string, older []byte)
		want error
	}{
		"restored from an older copy": {restore, store.ErrBroken},
		"deleted":                     {func(t *testing.T, dir string, _ []byte) { remove(t, file(dir)) }, store.ErrBroken},
		"cut, and its state folder gone": {func(t *testing.T, dir string, older []byte) {
			restore(t, dir, older)
			remove(t, filepath.Join(dir, "state"))
		}, store.ErrUnsigned},
		"cut, and its checkpoint gone": {func(t *testing.T, dir string, older []byte) {
			restore(t, dir, older)
			remove(t, in(dir, "memdb.checkpoint"))
		}, store.ErrUnsigned},
		"cut, and its key gone": {func(t *testing.T, dir string, older []byte) {
			restore(t, dir, older)
			remove(t, in(dir, "memdb.key"))
		}, store.ErrUnsigned},
		"deleted, and its key gone": {func(t *testing.T, dir string, _ []byte) {
			remove(t, file(dir), in(dir, "memdb.key"))
		}, store.ErrUnsigned},
		"cut, and its checkpoint forged": {func(t *testing.T, dir string, older []byte) {
			restore(t, dir, older)
			if err := os.WriteFile(in(dir, "memdb.checkpoint"), []byte("memscribe-memdb\n1\n\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, store.ErrUnsigned},
	}
}

// TestNotSignedAnew opens databases that are not what was signed: each is refused
// with what to do, and nothing is signed. Rekey accepts them with a mark in the
// chain, keeps what was signed before, and then they are written to again.
func TestNotSignedAnew(t *testing.T) {
	for name, loss := range losses() {
		t.Run(name, func(t *testing.T) {
			dir, older := grown(t)
			loss.do(t, dir, older)
			before := signatures(t, dir)
			s, err := store.Open(t.Context(), file(dir), options(dir, newClock()))
			if err == nil {
				_ = s.Close() // it should not be open
			}
			if !errors.Is(err, loss.want) || !sink.IsFault(err) || !strings.Contains(err.Error(), "'memscribe memdb rekey'") {
				t.Fatalf("opened: %v, want %v", err, loss.want)
			}
			equal(t, "what is signed", signatures(t, dir), before)

			r, err := store.Rekey(t.Context(), file(dir), options(dir, newClock()))
			if err != nil {
				t.Fatal(err)
			}
			for _, kept := range r.Kept {
				if _, err := os.Stat(kept); err != nil {
					t.Error(err)
				}
			}
			f := open(t, dir)
			f.write(note("d", "comes later"))
			report := f.intact()
			equal(t, "entry of the new key", report.Rekeyed, r.Head.Length)
			if report.Length <= report.Rekeyed {
				t.Errorf("nothing was written: %+v", report)
			}
		})
	}
}

// signatures are the files of the key, as text.
func signatures(t *testing.T, dir string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "state", "memdb.*"))
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(name + "\n" + string(text))
	}
	return all.String()
}

// TestRekeyKeepsWhatWasSigned wants the old checkpoint to stay readable with the
// old key, and to say how much is missing.
func TestRekeyKeepsWhatWasSigned(t *testing.T) {
	dir, older := grown(t)
	if err := os.WriteFile(file(dir), older, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // it can be done twice
		r, err := store.Rekey(t.Context(), file(dir), options(dir, newClock()))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Kept) != 2 {
			t.Fatalf("kept %v", r.Kept)
		}
		signed, err := os.ReadFile(r.Kept[0])
		if err != nil {
			t.Fatal(err)
		}
		key, err := os.ReadFile(r.Kept[1])
		if err != nil {
			t.Fatal(err)
		}
		v, err := chain.NewVerifier(string(key))
		if err != nil {
			t.Fatal(err)
		}
		head, err := v.Read(string(signed))
		if err != nil || head != r.Signed {
			t.Errorf("round %d: the old checkpoint is of %v, want %v: %v", i, head, r.Signed, err)
		}
		equal(t, "what was missing", head.Length > r.Head.Length, i == 0)
	}
}

// TestKeyWithoutMark has somebody sign a chain that was rekeyed with a key of
// their own: the chain names another one.
func TestKeyWithoutMark(t *testing.T) {
	dir, _ := grown(t)
	o := options(dir, newClock())
	r, err := store.Rekey(t.Context(), file(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, o.StateDir)
	own, err := chain.OpenSigner(o.StateDir, o.Random)
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Save(o.StateDir, r.Head); err != nil {
		t.Fatal(err)
	}
	report, err := store.VerifyFile(t.Context(), file(dir), store.VerifyOptions{StateDir: o.StateDir})
	if err != nil || report.OK || report.Fault.Reason != "key_mismatch" {
		t.Errorf("verify: %+v, %v", report, err)
	}
	s, err := store.Open(t.Context(), file(dir), o)
	if err == nil {
		_ = s.Close() // it should not be open
	}
	if !errors.Is(err, store.ErrUnsigned) {
		t.Errorf("opened: %v", err)
	}
}

// TestRekeyRefusesWhatIsBad does not sign a memory that was changed.
func TestRekeyRefusesWhatIsBad(t *testing.T) {
	dir, _ := grown(t)
	db := sqlOf(t, file(dir))
	if _, err := db.ExecContext(t.Context(), "UPDATE versions SET record = replace(record, 'says a', 'says x')"); err != nil {
		t.Fatal(err)
	}
	before := signatures(t, dir)
	if _, err := store.Rekey(t.Context(), file(dir), options(dir, newClock())); !sink.IsFault(err) || !strings.Contains(err.Error(), "record_mismatch") {
		t.Errorf("rekeyed: %v", err)
	}
	equal(t, "what is signed", signatures(t, dir), before)
}

// TestKeyMadeInPart opens a new database whose key was made and whose first
// checkpoint was not: that was a crash, and nothing is lost.
func TestKeyMadeInPart(t *testing.T) {
	dir := t.TempDir()
	o := options(dir, newClock())
	if _, err := chain.OpenSigner(o.StateDir, o.Random); err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(o.StateDir, "memdb.checkpoint"))
	open(t, dir).write(note("a", "x"))
	if _, err := os.Stat(filepath.Join(o.StateDir, "memdb.checkpoint")); err != nil {
		t.Error(err)
	}
}

// sqlOf opens a database beside the store.
func sqlOf(t *testing.T, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
