// Package setup holds what a command is set up with before it works: the machine, the
// settings and rules of its user, and where its log and its messages go.
//
// Settings that a flag can set reach a command by its options. What no flag sets is
// read here: rules of redaction and of the gate, tools that are described, teams and
// the gateway for embeddings. A file in the working folder may be someone else's, so
// what says where memories are sent ([[team]], memdb.embeddings) is refused there.
package setup

import (
	"io"
	"log/slog"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/io/input"
)

// Setup is what a command is set up with. It is filled before the command starts and
// is only read then; one Setup serves one run.
type Setup struct {
	host.Machine

	ConfigFile  string          // the settings file that --config names; "": it is looked for
	Settings    config.Settings // of the environment and the file
	Rules       Rules
	StateFolder string // the folder that --state-dir or the settings name; "": as the system wants

	LogFormat string // of messages: "text", or "json" for records of the log

	// Logger returns the log of the command, at the level that its user wants. It may be
	// called often; every logger writes to the same place.
	Logger func() *slog.Logger
	// Say prints a message for the person who runs the command. Arguments are redacted and
	// made visible; a message has its line end.
	Say func(format string, args ...any)
	// Clean redacts a message for a person; an error means that it must be withheld.
	Clean func(message []byte) ([]byte, error)
	// Progress shows how far a long reading has got, where a person can see it. With
	// printing, the command prints data meanwhile. Its methods may be called always.
	Progress func(printing bool) Progress
	// Data is standard output, for what another program reads.
	Data func() io.Writer
}

// Progress shows how far one reading has got.
type Progress interface {
	// Of has the reading with these options shown.
	Of(o *input.Options)
	// Over begins the reading of a plan. The caller calls end when it is over.
	Over(plan *input.Plan) (end func())
}

// Rules are the user's own: what redact, gate and decide sections of the settings say,
// and where the secrets of this machine are.
type Rules struct {
	Redaction redact.Options
	Gate      *gate.Rules // with the built-in ones; nil: only those
	Threshold int         // of decisions; 0: the built-in one
	DigestKey func() ([]byte, error)
	Home      func() (string, error)
}

// NewReporter returns a reporter of one command's inputs.
func (s *Setup) NewReporter() *report.Reporter {
	return &report.Reporter{Say: s.Say, Log: s.Logger(), JSON: s.LogFormat == "json"}
}

// BuiltIn returns the rules of a user who has none: those of the program, with the key
// for digests and the home folder of the machine.
func (s *Setup) BuiltIn() Rules { return Rules{DigestKey: s.digestKey, Home: s.Home} }

// Keys returns the settings that no flag sets.
func Keys() []config.Key {
	var keys []config.Key
	for _, some := range [][]config.Key{ToolKeys(), redactKeys(), gateKeys(), ownKeys(), teamKeys(), embeddingKeys()} {
		keys = append(keys, some...)
	}
	return keys
}

// Read takes what no flag sets out of a settings file that fits its schema, and tries
// it: a rule that cannot be used is a problem before anything is read. The problems of
// one file are returned together.
func (s *Setup) Read(file *config.Document) config.Problems {
	s.Settings.File = file
	s.Getenv = s.withFile(s.Getenv)
	return s.readRules(file)
}
