package archtest

import (
	"slices"
	"strings"
)

// layer says what a package may import of this module.
type layer struct {
	pkg string
	may []string
}

// layers is the dependency rule: the first entry that covers a package counts.
// The order of the stages is the order of the pipeline.
func layers() []layer {
	core := []string{"core", "core/cut", "core/jsondoc"}
	stages := []string{
		"core/ahocorasick", "core/prose", "core/topic", "core/title", "core/score", "core/gate", "core/gate/lexicon",
		"core/decide/words", "core/decide/signs", "core/decide/answer", "core/decide/forbid", "core/decide/naming", "core/decide/options", "core/decide/reading", "core/decide", "core/memory", "core/segment", "core/bind", "core/nodeprep",
	}
	all := []layer{
		{"core", []string{"core/cut", "core/jsondoc"}},
		{"core/cut", []string{"core/jsondoc"}},
		{"core/jsondoc", nil},
		{"core/encode", core},
		{"core/redact/internal/", []string{"core/redact/internal/"}},
		{"core/redact", append(slices.Clone(core), "core/ahocorasick", "core/redact/internal/")},
		{"core/myers", nil},
		{"core/packed", nil},
		{"core/shape", append(slices.Clone(core), "core/packed")},
		{"core/pipeline", append(slices.Clone(core), append(stages, "core/redact", "core/shape")...)},
	}
	for i, stage := range stages {
		all = append(all, layer{stage, append(slices.Clone(core), stages[:i]...)})
	}
	return append(all,
		layer{"adapters/internal/", append(slices.Clone(core), "core/myers", "adapters/internal/")},
		layer{"adapters", append(slices.Clone(core), "adapters/")},
		layer{"adapters/", append(slices.Clone(core), "adapters/internal/")},
		layer{"internal/eval/", append(slices.Clone(core), "core/gate", "core/gate/lexicon", "core/decide", "core/packed", "core/score", "core/prose", "core/redact", "internal/")},
		layer{"internal/verify/", append(slices.Clone(core), "core/encode", "core/gate", "core/gate/lexicon", "core/decide", "core/nodeprep", "core/packed", "core/pipeline", "internal/", "io/")},
		layer{"internal/recall", append(slices.Clone(core), "core/prose", "internal/")},
		layer{"internal/app/", []string{"core", "core/", "adapters", "adapters/", "internal/", "io/", "sink/"}},
		layer{"internal/", append(slices.Clone(core), "internal/")},
		layer{"io/capture", append(slices.Clone(core), "core/encode", "core/pipeline", "core/shape", "internal/", "io/")},
		layer{"io/status", append(slices.Clone(core), "core/shape", "internal/", "io/")},
		layer{"io/", append(slices.Clone(core), "internal/", "io/")},
		layer{"sink/memdb/sanitize", []string{"core/ahocorasick"}},
		layer{"sink/", append(slices.Clone(core), "core/encode", "internal/", "sink/")},
		layer{"cmd/", []string{"core", "core/", "adapters", "adapters/", "internal/", "io/", "sink/", "cmd/"}},
		layer{"testkit/", []string{"core", "core/", "adapters", "adapters/", "internal/", "io/", "sink/", "testkit/"}},
		layer{"testkit", nil},
	)
}

// door says who may import a package of others: each dependency has one way in.
// What the testkit may import, tests may too.
type door struct {
	dependency string // with everything below it
	through    []string
}

func doors() []door {
	return []door{
		{"lukechampine.com/blake3", []string{"core", "core/encode"}},
		{"golang.org/x/sys", []string{"cmd/memscribe", "internal/app/doctor", "io/journal", "sink/ndjson", "testkit/record"}},
		{"github.com/fsnotify/fsnotify", []string{"io/tail"}},
		{"filippo.io/age", []string{"internal/exchange"}},
		{"github.com/aws/aws-sdk-go-v2", []string{"internal/exchange"}},
		{"github.com/klauspost/compress", []string{"internal/compress", "io/archive", "internal/verify/trial", "testkit/"}},
		{"github.com/VictoriaMetrics/metrics", []string{"io/status"}},
		{"github.com/chromedp", []string{"testkit/"}}, // a browser that tests drive
		{"github.com/prometheus", []string{"testkit/"}},
		{"github.com/spf13/cobra", []string{
			"cmd/memscribe", "cmd/memscribe/commands/", "cmd/memscribe/internal/cli", "cmd/memscribe/internal/man",
		}},
		{"github.com/CycloneDX/cyclonedx-go", []string{"testkit/"}},
		{"github.com/kardianos/service", []string{"internal/daemon"}},
		{"howett.net/plist", []string{"testkit/"}},
		{"github.com/spf13/pflag", []string{"cmd/"}},
		{"github.com/pelletier/go-toml/v2", []string{"internal/config", "internal/app/doctor", "internal/app/mcpsettings"}},
		{"modernc.org/libc", []string{"io/store"}}, // SQLite, in Go, runs on it
		{"modernc.org/sqlite", []string{"testkit/attack", "io/store", "internal/sqlitefile", "sink/memdb", "sink/memdb/"}},
		{"golang.org/x/mod", []string{"internal/release", "sink/memdb/chain", "testkit/"}},
		{"github.com/getkin/kin-openapi", []string{"testkit/"}},
		{"github.com/jedib0t/go-pretty", []string{"cmd/"}},
		{"github.com/jackc/pgx", []string{"sink/internal/pg", "testkit/"}},
		{"github.com/jackc/puddle", []string{"sink/internal/pg"}},
		{"golang.org/x/net", []string{"testkit/attack"}},
		{"golang.org/x/text", []string{"adapters/pi", "sink/internal/pg"}},
		{"golang.org/x/term", []string{"cmd/"}},
		{"connectrpc.com/connect", []string{"io/otlp", "sink/memdb/rpc", "sink/memdb/rpc/", "testkit/"}},
		{"google.golang.org/grpc", []string{"testkit/"}},
		{"github.com/bufbuild/protocompile", []string{"testkit/"}},
		{"google.golang.org/protobuf", []string{"io/otlp", "sink/memdb/rpc", "sink/memdb/rpc/"}},
		{"go.opentelemetry.io/collector/pdata", []string{"io/otlp"}},
		{"github.com/bluekeyes/go-gitdiff", []string{"internal/bancheck", "testkit/"}},
		{"github.com/modelcontextprotocol/go-sdk", []string{"cmd/memscribe", "internal/app/mcpserver"}},
		{"github.com/tailscale/hujson", []string{"io/hookconfig"}},
		{"github.com/santhosh-tekuri/jsonschema", []string{"testkit/"}},
		{"github.com/go-json-experiment/json", []string{"internal/verify/", "sink/memdb", "sink/memdb/", "testkit/"}},
		{"github.com/google/go-cmp", []string{"testkit/"}},
		{"github.com/rogpeppe/go-internal", []string{"testkit/"}},
	}
}

// checkImports holds every file to the layers and doors. Tests may import
// anything of the module, and what is only for tests.
func (t *tree) checkImports() {
	for _, f := range t.files {
		f.imports(func(spec *importSpec, imp string) bool {
			dep, ours := strings.CutPrefix(imp, Module)
			switch {
			case f.test && forTests(imp):
			case ours && !f.test:
				t.checkLayer(f, spec, strings.TrimPrefix(dep, "/"))
				t.checkRoom(f, spec, strings.TrimPrefix(dep, "/"))
				t.checkApp(f, spec, strings.TrimPrefix(dep, "/"))
			case !ours && strings.Contains(strings.Split(imp, "/")[0], "."):
				t.checkDoor(f, spec, imp)
			}
			return true
		})
	}
}

// forTests reports whether a dependency may be imported by any test.
func forTests(imp string) bool {
	for _, d := range doors() {
		if covers(d.dependency, imp) || covers(d.dependency+"/", imp) {
			return slices.Contains(d.through, "testkit/")
		}
	}
	return false
}

func (t *tree) checkLayer(f *file, spec *importSpec, dep string) {
	for _, l := range layers() {
		if !covers(l.pkg, f.pkg) {
			continue
		}
		if !coversAny(l.may, dep) && !own(f.pkg, dep) {
			t.add(spec.Pos(), "%s may not import %s", f.pkg, dep)
		}
		return
	}
	t.add(spec.Pos(), "no layer for package %q", f.pkg)
}

// rooms is the folder of the program's rooms: one for each family of commands, and
// those that they share.
const rooms = "cmd/memscribe/internal/"

// sharedRooms are those that other rooms may import, the lowest first: each may import
// those before it.
func sharedRooms() []string {
	return []string{"console", "flagset", "cli"}
}

// checkRoom holds the rooms of the program to their order: a room imports shared ones
// below it, and no other.
func (t *tree) checkRoom(f *file, spec *importSpec, dep string) {
	from, isRoom := strings.CutPrefix(f.pkg, rooms)
	to, toRoom := strings.CutPrefix(dep, rooms)
	if !isRoom || !toRoom || strings.HasPrefix(to, from+"/") {
		return
	}
	shared := sharedRooms()
	at, below := slices.Index(shared, from), slices.Index(shared, to)
	if below < 0 || at >= 0 && at <= below {
		t.add(spec.Pos(), "room %s may not import room %s: see sharedRooms in testkit/archtest", from, to)
	}
}

// app is the folder of what commands do. It stands above everything but the commands:
// only they and the testkit import it. It takes no flags and has no terminal, which the
// doors of cobra, pflag and term see to.
const app = "internal/app/"

// checkApp holds what commands do to its place: nothing that it is built on imports it.
func (t *tree) checkApp(f *file, spec *importSpec, dep string) {
	if covers(app, dep) && !coversAny([]string{app, "cmd/", "testkit/"}, f.pkg) {
		t.add(spec.Pos(), "%s may not import %s: it stands above all but the commands", f.pkg, dep)
	}
}

// own reports whether a package imports one that stands below the same folder
// of an adapter, a source, a sink or a program: what is inside those is theirs.
func own(pkg, dep string) bool {
	p, d := strings.Split(pkg, "/"), strings.Split(dep, "/")
	return len(p) >= 2 && len(d) > 2 && p[0] != "core" && p[0] == d[0] && p[1] == d[1]
}

func (t *tree) checkDoor(f *file, spec *importSpec, imp string) {
	for _, d := range doors() {
		if !covers(d.dependency, imp) && !covers(d.dependency+"/", imp) {
			continue
		}
		if !coversAny(d.through, f.pkg) {
			t.add(spec.Pos(), "%s may not import %s: only %s may", f.pkg, imp, strings.Join(d.through, ", "))
		}
		return
	}
	t.add(spec.Pos(), "no door for dependency %s", imp)
}
