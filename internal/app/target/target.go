// Package target opens the output of a command: NDJSON, a database or a MemDB.
package target

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/postgres"
	"github.com/memscribe/memscribe/sink/retry"
)

// The kinds that commands have something to do with.
const (
	Lines    = "ndjson"
	Database = "sqlite" // what memscribe query reads
	Memories = "memdb"  // keeps nodes as memories
	Team     = "postgres"
)

// kind is a value of --sink: a kind of sink and how commands use one.
type kind struct {
	name    string
	file    string   // in the data folder, where nodes go by default
	endings []string // of names that can only mean this kind
	stream  bool     // can be written to standard output

	follow openAndUse // for nodes that come and change
	fill   openAndUse // for those of a replay
}

// openAndUse opens the sink of a target, has use deliver to it and closes it. An
// error means that not all that was delivered may be there.
type openAndUse func(ctx context.Context, to Target, use func(sink.Sink) error) error

// kinds returns all values of --sink.
func kinds() []kind {
	return []kind{
		{
			name: Lines, file: "nodes.ndjson", endings: []string{".ndjson", ".jsonl", ".json"}, stream: true,
			follow: appendLines, fill: writeSorted,
		},
		{
			name: Database, file: "nodes.db", endings: []string{".db", ".sqlite", ".sqlite3"},
			follow: followInDatabase, fill: intoDatabase,
		},
		{name: Memories, file: "memories.db", follow: followInMemDB, fill: intoMemDB},
		{name: Team, follow: followInTeam, fill: intoTeam},
	}
}

// KindNames returns all values of --sink.
func KindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// KnownKinds lists the values of --sink for a message.
func KnownKinds() string { return strings.Join(KindNames(), ", ") }

// Options say where nodes go, as a user says it: what is empty is worked out.
type Options struct {
	Kind     string // a value of --sink; "": by the name of Out, else as is usual
	Out      string // a file, or the URL of a PostgreSQL; "-" is standard output; "": as is usual
	MemDB    MemDB
	NoRedact bool // what is delivered was not redacted: it goes to standard output only
	Messages bool // what was said is kept in a database too

	Usual Usual
}

// Usual is where a command delivers that was not told otherwise.
type Usual struct {
	Kind   string
	Stream bool // to standard output where the kind can be written there

	// Database finds the database that watch keeps, to which others add.
	Database func() (string, error)
}

// Target is where a command delivers.
type Target struct {
	kind

	Out     string
	Mark    string       // what was noted of what it holds
	Waits   bool         // for what keeps it from being opened, if that may pass by itself
	Again   bool         // it was written to by this process before
	Waiting func(string) // is called with what is waited for, and with "" when it is over; or nil

	memdb    MemDB
	messages bool
	team     string // the URL of a PostgreSQL
	setup    *setup.Setup
}

// Name returns the kind of the sink.
func (t *Target) Name() string { return t.name }

// Messages reports whether what was said is delivered too.
func (t *Target) Messages() bool { return t.messages }

// Streams reports whether the sink is only ever added to.
func (t *Target) Streams() bool { return t.stream }

// Follow has use deliver nodes as they come and change.
func (t *Target) Follow(ctx context.Context, use func(sink.Sink) error) error {
	return t.said(t.follow(ctx, *t, t.keeping(use)))
}

// Fill has use deliver the nodes of a replay.
func (t *Target) Fill(ctx context.Context, use func(sink.Sink) error) error {
	return t.said(t.fill(ctx, *t, t.keeping(use)))
}

// said says where nodes have gone, unless that is standard output.
func (t *Target) said(err error) error {
	if err != nil || t.Out == "-" {
		return err
	}
	if t.setup.LogFormat == "json" {
		t.setup.Logger().Info("delivered", slog.String("sink", t.name), slog.String("to", t.Place()))
		return nil
	}
	t.setup.Say("kept in %s\n", t.Place())
	return nil
}

// Place returns where nodes go, for people: a file, or the address of a server.
func (t *Target) Place() string {
	switch {
	case t.team != "":
		return postgres.Shown(t.team)
	case t.name == Memories && t.memdb.URL != "":
		return t.memdb.URL + ", namespace " + t.memdb.Namespace
	}
	return t.Out
}

// keeping keeps out of what is delivered what is to stay forgotten.
func (t *Target) keeping(use func(sink.Sink) error) func(sink.Sink) error {
	file, err := t.setup.ForgottenFile()
	if err != nil {
		return use // where there is no data folder, nothing was ever forgotten
	}
	return func(s sink.Sink) error {
		k, err := forget.Keep(s, file)
		if err != nil {
			return err
		}
		err = use(k)
		if n := k.LeftOut(); n > 0 {
			t.setup.Logger().Info("left out what is to stay forgotten; see memscribe forget --list", slog.Int64("lines", n))
		}
		return err
	}
}

// Passes reports whether to wait until an error has passed. What was used by this
// process, another one that has it now may give back.
func (t *Target) Passes(err error) bool {
	return retry.Passes(err) || t.Again && isTaken(err)
}

// Resolve works out what the options mean. What has not been redacted goes to
// standard output and nowhere else.
func (o *Options) Resolve(a *setup.Setup) (Target, error) {
	k, err := o.kind()
	if err != nil {
		return Target{}, err
	}
	t := Target{kind: k, Out: o.Out, memdb: o.MemDB, messages: o.Messages && k.name == Database, setup: a}
	if k.name == Memories || o.MemDB.URL != "" {
		t.messages = false // a URL stands for the kind, whatever is usual
		return t, t.aimAtMemDB(o.NoRedact)
	}
	if k.name == Team {
		return t, t.aimAtTeam(o.NoRedact)
	}
	if t.Out == "" && o.Usual.Stream && k.stream {
		t.Out = "-"
	}
	if o.NoRedact && (!k.stream || t.Out != "-") {
		return Target{}, usage.Errorf("--no-redact is only for --sink ndjson --out -")
	}
	if t.Out == "-" && !k.stream {
		return Target{}, usage.Errorf("--sink %s cannot write to standard output; --out names its file", k.name)
	}
	if t.Out == "" && o.Usual.Database != nil && k.name == Database {
		t.Out, err = o.Usual.Database() // add to what watch keeps
		return t, err
	}
	if t.Out == "" {
		dir, err := a.DataDir()
		if err != nil {
			return Target{}, fmt.Errorf("find data folder: %w", err)
		}
		t.Out = filepath.Join(dir, k.file)
	}
	return t, nil
}

// kind returns the one that is asked for: by name, or by where it is to go.
func (o *Options) kind() (kind, error) {
	fits := func(k kind) bool { return k.name == o.Kind }
	all := kinds()
	if o.Kind == "" && postgres.IsURL(o.Out) {
		fits = func(k kind) bool { return k.name == Team }
	} else if o.Kind == "" {
		fits = func(k kind) bool {
			return o.Out == "-" && k.stream || slices.Contains(k.endings, filepath.Ext(o.Out))
		}
		if !slices.ContainsFunc(all, fits) {
			fits = func(k kind) bool { return k.name == o.Usual.Kind }
		}
	}
	i := slices.IndexFunc(all, fits)
	if i < 0 {
		return kind{}, usage.Errorf("unknown sink %q; known are %s", o.Kind, KnownKinds())
	}
	return all[i], nil
}

// KeptDatabase returns the database that a watch with these options keeps. One that keeps
// something else has its database in the usual place, if there is one.
func (o *Options) KeptDatabase(a *setup.Setup) (string, error) {
	kept, err := o.Resolve(a)
	if err == nil && kept.name != Database {
		kept, err = (&Options{Kind: Database}).Resolve(a)
	}
	return kept.Out, err
}
