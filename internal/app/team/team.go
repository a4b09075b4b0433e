// Package team shares a project with a team's MemDB and exchanges new nodes with it, and
// exchanges all nodes with the other machines of one person.
//
// What leaves the machine, and what comes in:
//
//	sync           database of watch ── nodes of the project ──► MemDB of the team
//	sync --receive MemDB of the team ── others' nodes ──► database of watch, marked as received
//	sync FOLDER    database of watch ◄── encrypted batches ──► a folder, ssh or S3
//
// Which projects are shared is in the user's own memscribe.toml, between two marker
// lines, so that leave can restore the file byte for byte. A project's memscribe.toml
// cannot share anything: it is in the repository, and others write to it.
//
// Nodes that a person rejected, the bindings that begin at them, and what was received
// from others never leave.
//
// What join does, so that a failure at any step leaves nothing half done:
//
//	1  show what will be shared; --dry-run ends here
//	2  store a memory on the server that says who has joined
//	3  append the settings to the user's own memscribe.toml
//	   if this fails, the server forgets the memory of step 2
//
// What is never trusted. A server may say anything: a received node must be one JSON value of a
// known kind, have the id of its memory, and be at most 4 MiB. It is redacted again with the
// user's rules, and instructions to agents are removed. At most 1,000,000 memories or 1 GiB are
// taken from a namespace.
//
// Where to find what:
//
//	join.go, leave.go       the settings, and the memory that says who has joined
//	nodes.go                which nodes of a project are shared
//	sync.go, share.go       sending, by a command and by watch
//	receive.go, others.go   receiving, by a command and by watch
//	folder.go               the machines of one person
package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/atomicfile"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/sink/memdb/client"
)

// Options say which project is meant.
type Options struct {
	Project  string // a folder in it; "" is the working folder
	Database string // of nodes, that watch keeps
	DryRun   bool
}

// folder returns the folder of the project that is meant: that of its repository, if it is in
// one. A folder that is gone is meant as it is written.
//
// A subfolder of a repository stands for the repository.
func (o *Options) folder(ctx context.Context) (string, error) {
	dir, err := filepath.Abs(cmp.Or(o.Project, "."))
	if err != nil {
		return "", fmt.Errorf("find folder of project: %w", err)
	}
	if !isFolder(dir) {
		return dir, nil
	}
	if r, err := gitrepo.Open(ctx, dir); err == nil {
		return r.Root, nil
	}
	return dir, nil
}

// isFolder reports whether name is a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// settings is the user's own file of settings.
type settings struct {
	path  string
	text  []byte // nil: there is no such file
	teams []setup.Team
}

// read reads the user's own file.
func read(s *setup.Setup) (*settings, error) {
	path, err := s.OwnFile()
	if err != nil {
		return nil, fmt.Errorf("find configuration folder: %w", err)
	}
	own := &settings{path: path}
	own.text, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return own, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	d, err := config.Parse(path, own.text)
	if err != nil {
		return nil, err
	}
	teams, found := s.Teams(d)
	own.teams = teams
	return own, found.Err()
}

// of returns the team with which a project is shared; nil if there is none. A project that was
// moved since is known by its namespace, which is named after the repository that it was cloned
// from: its folder of before is gone.
//
// Folders are compared by identity too, since the same folder may be written in several
// ways.
func (s *settings) of(ctx context.Context, project string) *setup.Team {
	here, _ := os.Stat(project)
	for i := range s.teams {
		there, err := os.Stat(s.teams[i].Project)
		if s.teams[i].Project == project || err == nil && here != nil && os.SameFile(here, there) {
			return &s.teams[i]
		}
	}
	name, err := namespace(ctx, project)
	if err != nil {
		return nil
	}
	moved := slices.IndexFunc(s.teams, func(t setup.Team) bool { return t.Namespace == name && !isFolder(t.Project) })
	if moved < 0 {
		return nil
	}
	return &s.teams[moved]
}

// begins and ends are the lines around the settings of a team, by which they are found
// again.
const (
	begins = "# memscribe join: "
	ends   = "# memscribe join: end\n"
)

// with returns the file with the settings of one more team. They are appended: in TOML
// a [[team]] may stand anywhere, and what was there keeps its bytes.
//
//	# memscribe join: "/home/ann/orders"
//	[[team]]
//	project = "/home/ann/orders"
//	url = "https://memdb.example.org"
//	namespace = "github.com.acme.orders"
//	# memscribe join: end
func (s *settings) with(t *setup.Team) []byte {
	var b strings.Builder
	b.Write(s.text)
	b.WriteString("\n" + begins + config.TOML(t.Project) + "\n[[team]]\n")
	for _, line := range [][2]string{
		{"project", t.Project}, {"url", t.URL}, {"namespace", t.Namespace}, {"token_file", t.TokenFile}, {"user", t.User}, {"message", t.Message},
	} {
		if line[1] != "" {
			b.WriteString(line[0] + " = " + config.TOML(line[1]) + "\n")
		}
	}
	return []byte(b.String() + ends)
}

// without returns the file as it was before a team was put in; false if join has not put it in.
func (s *settings) without(t *setup.Team) ([]byte, bool) {
	text := string(s.text)
	start := "\n" + begins + config.TOML(t.Project) + "\n"
	before, rest, found := strings.Cut(text, start)
	_, after, ended := strings.Cut(rest, ends)
	return []byte(before + after), found && ended
}

// replace writes the file; one that would be empty is removed.
func (s *settings) replace(text []byte) error {
	if len(text) == 0 {
		return os.Remove(s.path)
	}
	path := s.path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays one
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// dial returns a client of a team's server.
func dial(s *setup.Setup, t *setup.Team) (*client.Client, error) {
	return target.Dial(s, target.MemDB{URL: t.URL, Namespace: t.Namespace, TokenFile: t.TokenFile})
}
