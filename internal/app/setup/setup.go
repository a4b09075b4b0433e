// Package setup holds what a command is set up with before it works: the machine, the settings
// and rules of its user, and where its log and its messages go.
//
//	flags ──────────────▶ options of a command      settings that have a flag
//	memscribe.toml ─┬───▶ options, where no flag is given
//	                └───▶ Setup.Rules, Teams, …     settings without a flag: read here
//
// Settings without a flag are the rules of redaction and of the gate, descriptions of tools,
// teams, and the gateway for embeddings. They are tried as they are read, so that a wrong rule
// is reported with its place in the file before any transcript is read.
//
// A settings file in the working folder may come from another person. Settings that decide
// where memories are sent ([[team]], memdb.embeddings) are therefore refused in it.
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

// Setup is the environment of one run of a command. It is filled before the command starts, and not
// changed afterwards.
type Setup struct {
	host.Machine

	ConfigFile  string          // the settings file of --config; "" means the usual places
	Settings    config.Settings // from the environment and the file
	Rules       Rules
	StateFolder string // the folder of --state-dir or the settings; "" means the default

	LogFormat string // "text", or "json" for messages as log records

	// Logger returns the log of the command at the user's level. All loggers write to the same
	// place.
	Logger func() *slog.Logger
	// Say prints a message for a person. Arguments are redacted, and control characters in
	// them are escaped. The format must end with a line end.
	Say func(format string, args ...any)
	// Clean redacts a message for a person; an error means that it must be withheld.
	Clean func(message []byte) ([]byte, error)
	// Progress returns a display of the progress of reading. printing says that the command
	// prints data at the same time. Without a terminal its methods do nothing.
	Progress func(printing bool) Progress
	// Data is standard output, for what another program reads.
	Data func() io.Writer
}

// Progress shows the progress of one reading.
type Progress interface {
	// Of sets the Progress function of o.
	Of(o *input.Options)
	// Over begins the reading of a plan. The caller calls end when it is over.
	Over(plan *input.Plan) (end func())
}

// Rules are the user's rules, from the sections redact, gate and decide of the settings.
type Rules struct {
	Redaction redact.Options
	Gate      *gate.Rules // built-in and own rules; nil if there are no own ones
	Threshold int         // the score from which on decisions are sent; 0 is the default
	DigestKey func() ([]byte, error)
	Home      func() (string, error)
}

// NewReporter returns a reporter for the inputs of a command.
func (s *Setup) NewReporter() *report.Reporter {
	return &report.Reporter{Say: s.Say, Log: s.Logger(), JSON: s.LogFormat == "json"}
}

// BuiltIn returns the rules without a user's own ones.
func (s *Setup) BuiltIn() Rules { return Rules{DigestKey: s.digestKey, Home: s.Home} }

// Keys returns the settings without a flag.
func Keys() []config.Key {
	var keys []config.Key
	for _, some := range [][]config.Key{ToolKeys(), redactKeys(), gateKeys(), ownKeys(), teamKeys(), embeddingKeys()} {
		keys = append(keys, some...)
	}
	return keys
}

// Read reads the settings without a flag from a file that fits its schema, and tries them, so that a
// wrong rule is a problem before any transcript is read. It returns all problems of the file.
func (s *Setup) Read(file *config.Document) config.Problems {
	s.Settings.File = file
	s.Getenv = s.withFile(s.Getenv)
	return s.readRules(file)
}
