package setup

import (
	"net/url"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Team is a MemDB that several people share a project with. Memories of the project's folder and
// below are sent to it, and no others.
type Team struct {
	Project   string // the folder of the project
	URL       string
	Namespace string
	TokenFile string // "" if the server needs no token
	User      string // the author of memories; "" if it is not given
	Message   string // id of the memory about who has joined
}

// teamKeys returns the settings of teams.
func teamKeys() []config.Key {
	return []config.Key{
		{Name: "team[].project", About: "folder of a project that is shared; memscribe join writes all this, and it counts only in your own file of settings", Example: `"~/work/app"`},
		{Name: "team[].url", About: "of the server that it is shared with", Example: `"https://memdb.example"`},
		{Name: "team[].namespace", About: "in which it is shared", Example: `"acme.app"`},
		{Name: "team[].token_file", About: "file with the token for that server", Example: `"~/.config/memscribe/token"`},
		{Name: "team[].user", About: "whom memories are said to be from", Example: `"Ann"`},
		{Name: "team[].message", About: "id of the memory that says so"},
	}
}

// OwnFile returns the user's own settings file: the one of --config, or the one in the configuration
// folder.
func (s *Setup) OwnFile() (string, error) {
	named := s.ConfigFile
	if named == "" {
		named = s.Variable("MEMSCRIBE_CONFIG")
	}
	if named != "" {
		return filepath.Abs(named)
	}
	dir, err := s.ConfigDir()
	return filepath.Join(dir, config.FileName), err
}

// checkTeams returns what is wrong with the teams of a file. A settings file in a working folder may
// come from another person, so it must not decide what is shared.
func (s *Setup) checkTeams(d *config.Document) config.Problems {
	if own, err := s.OwnFile(); d.Has("team") && (err != nil || !sameFile(own, d.Name)) {
		p := d.Problem("team", "what is shared stands in your own file of settings alone")
		p.Hint = "memscribe join writes it there"
		return config.Problems{p}
	}
	_, found := s.Teams(d)
	return found
}

// Teams returns the teams of a file.
func (s *Setup) Teams(d *config.Document) ([]Team, config.Problems) {
	var teams []Team
	var found config.Problems
	settings := config.Settings{File: d, Home: s.Home}
	for _, at := range d.Tables("team") {
		text := func(name string) string { return d.Text(at + "." + name) }
		path := func(name string) string {
			p, err := settings.Path(text(name))
			if err != nil {
				found = append(found, d.Problem(at+"."+name, "%s.%s: %v", at, name, err))
			}
			return p
		}
		t := Team{Project: path("project"), URL: text("url"), Namespace: text("namespace"), TokenFile: path("token_file"), User: text("user"), Message: text("message")}
		if name, err := t.Wrong(); err != nil {
			found = append(found, d.Problem(at+"."+name, "%s.%s: %v", at, name, err))
			continue
		}
		teams = append(teams, t)
	}
	return teams, found
}

// Wrong returns the name of a wrong setting of a team, and why it is wrong. A token must not be sent
// over a network without TLS.
func (t *Team) Wrong() (name string, err error) {
	u, err := url.Parse(t.URL)
	switch {
	case !filepath.IsAbs(t.Project):
		return "project", usage.Errorf("it is no folder")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "":
		return "url", usage.Errorf("it is https://host or https://host:port")
	case u.Scheme == "http" && !local.IsLoopback(u.Hostname()):
		return "url", usage.Errorf("memories and tokens go to another machine by https alone")
	}
	if err = api.CheckNamespaceName(t.Namespace); err != nil {
		return "namespace", usage.Mark(err)
	}
	return "", nil
}

// sameFile reports whether two paths lead to the same file.
func sameFile(x, y string) bool {
	x, errX := filepath.Abs(x)
	y, errY := filepath.Abs(y)
	return errX == nil && errY == nil && x == y
}
