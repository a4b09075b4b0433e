// Package target opens the output of a command: NDJSON, a database or a MemDB.
//
// A command has [Options]: what the user chose. [Options.Resolve] fills in the rest and returns
// a [Target], which opens the sink when the command has something to deliver:
//
//	--sink, --out, --memdb-url ──Resolve──▶ Target ──Follow──▶ sink for watch: retried while
//	                                               │           it cannot be written to
//	                                               └─Fill────▶ sink for replay: sorted, once
//
// The name of the output may say the kind: x.db is a database, x.ndjson lines, postgres://… a
// team's database. Nodes without redaction go to standard output only.
//
// Both sinks leave out what the user has told the program to forget.
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

// The kinds of sinks that commands name.
const (
	Lines    = "ndjson"
	Database = "sqlite"   // what memscribe query reads
	Memories = "memdb"    // stores nodes as memories
	Team     = "postgres" // a database that several people write to
)

// kind is a value of --sink, and how a watch and a replay use it.
type kind struct {
	name    string
	file    string   // the default file in the data folder
	endings []string // file name extensions that mean this kind
	stream  bool     // it can be written to standard output

	follow openAndUse // for a watch: nodes arrive and change
	fill   openAndUse // for a replay: all nodes, once
}

// openAndUse opens the sink of a target, calls use with it, and closes it. After an error
// some of what was delivered may be missing.
type openAndUse func(ctx context.Context, to Target, use func(sink.Sink) error) error

// kinds returns the table of sinks. A new one is a row here.
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

// KindNames returns the values of --sink.
func KindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// KnownKinds returns the values of --sink as a text for messages.
func KnownKinds() string { return strings.Join(KindNames(), ", ") }

// Options are the user's choice of the output. [Options.Resolve] fills in what is empty.
type Options struct {
	Kind     string // a value of --sink; "" means: by the name of Out, else Usual.Kind
	Out      string // a file, or the URL of a PostgreSQL; "-" is standard output; "" is the default
	MemDB    MemDB
	NoRedact bool // nodes are not redacted; then only standard output is allowed
	Messages bool // messages are stored in a database, too

	Usual Usual
}

// Usual is the default output of a command.
type Usual struct {
	Kind   string
	Stream bool // standard output, for kinds that can be written there

	// Database returns the database that watch writes, to which other commands add.
	Database func() (string, error)
}

// Target is the resolved output of a command. Only Mark, Waits, Again and Waiting are set by
// the caller, before Follow. A Target is a value: Follow and Fill open their sink from a copy.
type Target struct {
	kind

	Out   string
	Mark  string // the sink's mark of the last run, from the checkpoint
	Waits bool   // wait for errors of opening that may pass by themselves
	Again bool   // this process has written to it before
	// if not nil, called with the reason for waiting, and with "" when it is over
	Waiting func(string)

	memdb    MemDB
	messages bool
	team     string // the URL of a PostgreSQL
	setup    *setup.Setup
}

// Name returns the kind of the sink.
func (t *Target) Name() string { return t.name }

// Messages reports whether messages are delivered, too.
func (t *Target) Messages() bool { return t.messages }

// Streams reports whether the sink is only appended to: then a file that shrinks has lost
// something.
func (t *Target) Streams() bool { return t.stream }

// Follow opens the sink for a watch, in which nodes arrive and change, calls use with it and
// closes it. If Waits is set it retries errors that may pass.
func (t *Target) Follow(ctx context.Context, use func(sink.Sink) error) error {
	return t.said(t.follow(ctx, *t, t.keeping(use)))
}

// Fill opens the sink for a replay, in which each node comes once, calls use with it and closes
// it. An error is final.
func (t *Target) Fill(ctx context.Context, use func(sink.Sink) error) error {
	return t.said(t.fill(ctx, *t, t.keeping(use)))
}

// said tells the user where nodes were written, unless that is standard output; with JSON logs
// as a record of the log. It returns err.
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

// Place returns the file or the address of the server, for messages.
func (t *Target) Place() string {
	switch {
	case t.team != "":
		return postgres.Shown(t.team)
	case t.name == Memories && t.memdb.URL != "":
		return t.memdb.URL + ", namespace " + t.memdb.Namespace
	}
	return t.Out
}

// keeping wraps use so that forgotten nodes are left out and counted.
func (t *Target) keeping(use func(sink.Sink) error) func(sink.Sink) error {
	file, err := t.setup.ForgottenFile()
	if err != nil {
		return use // without a data folder nothing was ever forgotten
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

// Passes reports whether an error of opening may pass by itself. If this process has written to
// the target before, a lock of another process may pass, too.
func (t *Target) Passes(err error) bool {
	return retry.Passes(err) || t.Again && isTaken(err)
}

// Resolve returns the target that the options mean. It refuses anything but standard output for
// nodes that are not redacted, and contradictory flags, with a usage error. It creates nothing.
// The kind is the first that applies: the flag --sink, the name of the output (x.db, x.ndjson,
// postgres://…), the default of the command.
//
//	--out x.db                    sqlite: a database in a file
//	--out x.ndjson                lines, appended by watch, sorted by replay
//	--out postgres://host/team    a team's database
//	--memdb-url http://…          a MemDB server
//	--out -                       standard output, which takes lines only
func (o *Options) Resolve(a *setup.Setup) (Target, error) {
	k, err := o.kind()
	if err != nil {
		return Target{}, err
	}
	t := Target{kind: k, Out: o.Out, memdb: o.MemDB, messages: o.Messages && k.name == Database, setup: a}
	if k.name == Memories || o.MemDB.URL != "" {
		t.messages = false // a URL decides the kind, whatever the default is
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
		t.Out, err = o.Usual.Database() // add to the database of watch
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

// kind returns the kind that the user names; else the one that the name of the output means;
// else the command's default.
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

// KeptDatabase returns the database that a watch with these options writes. For a watch with
// another kind of output it is the database in the default place, if there is one.
func (o *Options) KeptDatabase(a *setup.Setup) (string, error) {
	kept, err := o.Resolve(a)
	if err == nil && kept.name != Database {
		kept, err = (&Options{Kind: Database}).Resolve(a)
	}
	return kept.Out, err
}
