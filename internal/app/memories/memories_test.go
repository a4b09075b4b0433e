package memories_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/memories"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// owner is a user with a home of their own; log is what the log of the command says.
func owner(t *testing.T) (s *setup.Setup, log *bytes.Buffer) {
	t.Helper()
	home := t.TempDir()
	log = new(bytes.Buffer)
	return &setup.Setup{
		Machine: host.Machine{
			OS:     "linux",
			Getenv: func(string) string { return "" },
			Home:   func() (string, error) { return home, nil },
			Now:    func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) },
		},
		Logger: func() *slog.Logger { return slog.New(slog.NewTextHandler(log, nil)) },
	}, log
}

// keep stores the memories of 20 nodes in a namespace, 21 entries of the chain, and returns
// the database.
func keep(t *testing.T, s *setup.Setup) string {
	t.Helper()
	database, state, err := new(target.MemoryPlace).Resolve(s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	if err = os.MkdirAll(filepath.Dir(database), 0o700); err != nil {
		t.Fatal(err)
	}
	to, err := memdb.OpenEmbedded(t.Context(), memdb.EmbeddedOptions{
		Path: database, Namespace: "captured", Log: s.Logger(), Store: store.Options{Now: s.Now, Random: rand.Reader, StateDir: state},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(to.Apply(t.Context(), sinktest.NewMaker(1).Take(20)), to.Flush(t.Context()), to.Close()); err != nil {
		t.Fatal(err)
	}
	return database
}

// TestVerify: what was written is good, and a database whose bytes another program changed
// is reported with what is wrong.
func TestVerify(t *testing.T) {
	s, _ := owner(t)
	if _, err := memories.Verify(t.Context(), s.Machine, memories.VerifyOptions{}); err == nil {
		t.Error("a database that is not there is verified")
	}
	database := keep(t, s)
	r, err := memories.Verify(t.Context(), s.Machine, memories.VerifyOptions{})
	if err != nil || !r.OK || r.Memories != 20 || r.Checkpoint == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	text, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte("memscribe.node/v1"))
	if at < 0 {
		t.Fatal("the database has no node in the clear")
	}
	text[at]++
	if err = os.WriteFile(database, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err = memories.Verify(t.Context(), s.Machine, memories.VerifyOptions{}); err != nil || r.OK || r.Fault.Reason == "" {
		t.Errorf("changed: %+v, %v", r, err)
	}
}

// TestCopy copies memories with their chain; a second copy has nothing to do.
func TestCopy(t *testing.T) {
	s, _ := owner(t)
	database := keep(t, s)
	o := memories.CopyOptions{To: filepath.Join(t.TempDir(), "copy.db")}
	for _, want := range []int64{21, 0} {
		r, err := memories.Copy(t.Context(), s, o)
		if err != nil || r.Copied != want {
			t.Errorf("copied %+v, %v; want %d entries", r, err, want)
		}
	}
	r, err := memories.Verify(t.Context(), s.Machine, memories.VerifyOptions{MemoryPlace: target.MemoryPlace{Database: o.To}})
	if err != nil || !r.OK || r.Memories != 20 {
		t.Errorf("the copy: %+v, %v", r, err)
	}
	for name, to := range map[string]string{"nowhere": "", "into itself": database} {
		if _, err := memories.Copy(t.Context(), s, memories.CopyOptions{To: to}); !usage.Is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRekey replaces a key that is lost: before, the database cannot be verified against
// what was signed, afterwards the new key vouches for it.
func TestRekey(t *testing.T) {
	s, _ := owner(t)
	keep(t, s)
	r, err := memories.Rekey(t.Context(), s, target.MemoryPlace{})
	if err != nil || r.Signed != 21 || r.Found != 21 || len(r.Kept) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	verified, err := memories.Verify(t.Context(), s.Machine, memories.VerifyOptions{})
	if err != nil || !verified.OK || verified.Rekeyed == 0 {
		t.Errorf("%+v, %v", verified, err)
	}
	empty, _ := owner(t)
	if _, err := memories.Rekey(t.Context(), empty, target.MemoryPlace{}); err == nil {
		t.Error("a database that is not there has a new key")
	}
}

// TestTokens creates, lists and revokes a token; the log and the list have its name only.
func TestTokens(t *testing.T) {
	s, log := owner(t)
	token, err := memories.CreateToken(t.Context(), s, memories.TokenOptions{Name: "capture", Namespaces: []string{"team"}, Rights: []string{"write"}, Expires: time.Hour})
	if err != nil || token == "" {
		t.Fatalf("%q, %v", token, err)
	}
	if err = memories.RevokeToken(t.Context(), s, target.MemoryPlace{}, "capture"); err != nil {
		t.Fatal(err)
	}
	all, err := memories.Tokens(t.Context(), s.Machine, target.MemoryPlace{})
	if err != nil || len(all) != 1 || all[0].Name != "capture" || all[0].Revoked.IsZero() || !all[0].Expires.Equal(s.Now().Add(time.Hour)) {
		t.Errorf("%+v, %v", all, err)
	}
	if said := log.String(); strings.Contains(said, token) || strings.Count(said, "name=capture") != 2 {
		t.Errorf("the log says:\n%s", said)
	}
	for name, o := range map[string]memories.TokenOptions{
		"a right that there is not": {Name: "x", Namespaces: []string{"team"}, Rights: []string{"rule"}},
		"a time that is over":       {Name: "x", Namespaces: []string{"team"}, Rights: []string{"read"}, Expires: -1},
	} {
		if _, err := memories.CreateToken(t.Context(), s, o); !usage.Is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
