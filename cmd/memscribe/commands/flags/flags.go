package flags

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/app/watch"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/postgres"
)

// AddPrivacy adds the flags about redaction and exclusion, and the memory limit. It also passes
// the user's rules of redaction on.
func AddPrivacy(a *cli.App, cmd *cobra.Command, p *source.Privacy) {
	p.Rules = &a.Rules
	cmd.Flags().BoolVar(&p.NoRedact, "no-redact", false, "do not remove secrets")
	cmd.Flags().BoolVar(&p.NoContent, "no-content", false, "write no texts, and paths as hashes")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	cmd.Flags().StringSliceVar(&p.Exclude, "exclude", nil, "exclude projects, files and transcripts that match: .gitignore patterns, or paths from ~/ or /")
	cli.Configurable(cmd, "exclude", "capture.exclude")
	cmd.Flags().BoolVar(&p.Digest, "redact-digest", false, "replace equal secrets by equal short digests, with a key in the state folder")
	cli.Configurable(cmd, "redact-digest", "redact.digest")
	cmd.Flags().Var(&p.Memory, "memory", "memory limit of the program, such as 1GiB; lines longer than an eighth of it are cut")
	cli.Configurable(cmd, "memory", "capture.memory")
}

// AddPlaces adds the flags about the folders in which transcripts are looked for. If a command
// has arguments, the settings of these flags do not count: the arguments name the places.
func AddPlaces(cmd *cobra.Command, p *source.Places) {
	cmd.Flags().StringVar(&p.Home, "home", "", "home folder of the tools (default: yours)")
	cmd.Flags().StringSliceVar(&p.Tools, "tool", nil, "only these tools: "+source.KnownTools())
	cmd.Flags().StringArrayVar(&p.Roots, "root", nil, "look for transcripts in this folder only (repeatable)")
	cmd.Flags().BoolVar(&p.Links, "follow-links", false, "follow symbolic links that lead out of the roots")
	cli.Configurable(cmd, "follow-links", "capture.follow_links")
	cli.ConfigurablePath(cmd, "home", "capture.home")
	cli.ConfigurablePath(cmd, "root", "capture.roots")
	cli.Configurable(cmd, "tool", "capture.tools", source.ToolNames()...)
	for _, flag := range []string{"home", "tool", "root"} {
		flagset.WithoutArguments(cmd.Flag(flag))
	}
}

// AddJobs adds --jobs, the number of transcripts that are read at the same time. The output
// does not depend on it.
func AddJobs(cmd *cobra.Command, jobs *source.Jobs) {
	cmd.Flags().Var(jobs, "jobs", "how many transcripts to read at the same time; the output is the same. A database and events are always written by one")
}

// AddPushed adds --state-dir, where the journals of hooks and telemetry are, and --echoes, with
// which their events count even for sessions that have a transcript.
func AddPushed(cmd *cobra.Command, stateDir *string, echoes *bool) {
	cli.AddStateDir(cmd, stateDir)
	cmd.Flags().BoolVar(echoes, "echoes", false,
		"also report events from hooks, telemetry and second stores for sessions that have a transcript; use it only where the transcripts are not read")
}

// AddTarget adds the flags that say where a command writes: the kind of sink, its place, and
// the access to a MemDB. Usual is the sink without these flags.
func AddTarget(cmd *cobra.Command, o *target.Options, usual target.Usual) {
	o.Usual = usual
	cmd.Flags().StringVar(&o.Kind, "sink", "",
		"what to write: "+target.KnownKinds()+" (default: what the name of --out ends in, else "+usual.Kind+")")
	place := "a file in your data folder"
	if usual.Stream {
		place = "-, or for a database a file in your data folder"
	}
	cmd.Flags().StringVar(&o.Out, "out", "", "where to write: a file, or postgres://user@host/name; - is standard output (default: "+place+")")
	cmd.Flags().BoolVar(&o.Messages, "messages", true, "also store all messages in a database, redacted and compressed, for search and show")
	cli.Configurable(cmd, "messages", "sink.messages")
	cmd.Flags().StringVar(&o.MemDB.URL, "memdb-url", "", "send nodes to the MemDB at this address, such as http://127.0.0.1:7475; implies --sink memdb")
	cmd.Flags().StringVar(&o.MemDB.Namespace, "memdb-namespace", "captured", "MemDB namespace for nodes")
	cmd.Flags().StringVar(&o.MemDB.TokenFile, "memdb-token-file", "", "file with the token for that MemDB")
}

// AddWatchTarget is AddTarget for watch, whose flags are also settings.
func AddWatchTarget(cmd *cobra.Command, o *target.Options) {
	AddTarget(cmd, o, target.Usual{Kind: target.Database})
	cli.Configurable(cmd, "sink", "sink.kind", target.KindNames()...)
	cli.ConfigurablePath(cmd, "out", "sink.out")
	cli.Configurable(cmd, "memdb-url", "memdb.url")
	cli.Configurable(cmd, "memdb-namespace", "memdb.namespace")
	cli.ConfigurablePath(cmd, "memdb-token-file", "memdb.token_file")
}

// Database returns name, or the database that watch writes to by its settings if name is "".
// The URL of a PostgreSQL is a usage error, since most commands read files only.
func Database(a *cli.App, name string) (string, error) {
	if postgres.IsURL(name) {
		return "", usage.Errorf("--db %s: this command works on a database in a file; what reads PostgreSQL is query and why", postgres.Shown(name))
	}
	return AnyDatabase(a, name)
}

// AnyDatabase is Database without the restriction to files: it may return the URL of a
// PostgreSQL.
func AnyDatabase(a *cli.App, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	var (
		cmd cobra.Command
		o   target.Options
	)
	AddWatchTarget(&cmd, &o)
	if err := flagset.Apply(&a.Settings, cmd.Flags(), nil); err != nil {
		return "", err
	}
	return o.KeptDatabase(&a.Setup)
}

// AddTelemetry adds the flags about the OTLP receiver of watch.
func AddTelemetry(cmd *cobra.Command, t *watch.Telemetry) {
	cmd.Flags().StringVar(&t.HTTP, "otlp-http", "", "receive telemetry by OTLP over HTTP at this address, as 127.0.0.1:4318")
	cmd.Flags().StringVar(&t.GRPC, "otlp-grpc", "", "receive telemetry by OTLP over gRPC at this address, as 127.0.0.1:4317")
	cmd.Flags().StringVar(&t.Guard.TokenFile, "otlp-token-file", "",
		"file with the token that senders must present, readable only by you; required for addresses other than loopback")
	cmd.Flags().StringVar(&t.Guard.CertFile, "otlp-tls-cert", "", "TLS certificate for OTLP in PEM")
	cmd.Flags().StringVar(&t.Guard.KeyFile, "otlp-tls-key", "", "key of the certificate in PEM")
	cmd.Flags().BoolVar(&t.Guard.Insecure, "otlp-insecure", false, "receive telemetry from other machines without TLS, for example behind a proxy")
	cli.Configurable(cmd, "otlp-http", "otlp.http")
	cli.Configurable(cmd, "otlp-grpc", "otlp.grpc")
	cli.ConfigurablePath(cmd, "otlp-token-file", "otlp.token_file")
	cli.ConfigurablePath(cmd, "otlp-tls-cert", "otlp.tls_cert")
	cli.ConfigurablePath(cmd, "otlp-tls-key", "otlp.tls_key")
	cli.Configurable(cmd, "otlp-insecure", "otlp.insecure")
}

// AddRetention adds the flags --keep-conversations, --keep-decisions, --keep-edits and
// --keep-journals. Their values are spans such as 90d or 12w; without one, that kind is kept
// for ever.
func AddRetention(cmd *cobra.Command, o *retention.Options) {
	for _, f := range []struct {
		value      *retention.Span
		name, what string
	}{
		{&o.Conversations, "conversations", "the conversations of a database"},
		{&o.Decisions, "decisions", "its decisions"},
		{&o.Edits, "edits", "its edits"},
		{&o.Journals, "journals", "what hooks and telemetry have passed on"},
	} {
		cmd.Flags().Var(f.value, "keep-"+f.name, "how long to keep "+f.what+", such as 90d or 12w")
		cli.Configurable(cmd, "keep-"+f.name, "retention."+f.name)
	}
}
