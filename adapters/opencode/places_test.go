package opencode_test

import (
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/opencode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// TestFinds: every store is found on every system, with the variables that move
// it.
func TestFinds(t *testing.T) {
	const sessions, before = "storage/session/p/ses_1.json", "project/d/storage/session/info/ses_1.json"
	for _, tt := range []struct {
		name  string
		tool  opencode.Adapter
		vars  map[string]string
		dir   string
		holds []string
		not   []string
	}{
		{"home", opencode.Adapter{}, nil, "/home/dev/.local/share/opencode", []string{"opencode.db", "opencode-local.db", sessions, before}, []string{"kilo.db", "auth.json", "opencode.db-wal"}},
		{"data folder", opencode.Adapter{}, map[string]string{"XDG_DATA_HOME": "/data"}, "/data/opencode", []string{"opencode.db", sessions}, nil},
		{"Kilo", opencode.Adapter{Name: core.Kilo}, nil, "/home/dev/.local/share/kilo", []string{"kilo.db", sessions}, []string{"opencode.db"}},
		{"a database elsewhere", opencode.Adapter{}, map[string]string{"OPENCODE_DB": "/srv/agents/work.db"}, "/srv/agents", []string{"work.db"}, []string{"other.db", "work.db-wal", "deep/work.db"}},
		{"the folder with it", opencode.Adapter{}, map[string]string{"OPENCODE_DB": "/srv/agents/work.db"}, "/home/dev/.local/share/opencode", []string{"opencode.db", sessions}, nil},
		{"a database below the data folder", opencode.Adapter{}, map[string]string{"OPENCODE_DB": "ci/work.db", "XDG_DATA_HOME": "/data"}, "/data/opencode/ci", []string{"work.db"}, nil},
		{"a name with a star", opencode.Adapter{}, map[string]string{"OPENCODE_DB": "/srv/*.db"}, "/srv", []string{"*.db"}, []string{"other.db"}},
		{"no database", opencode.Adapter{}, map[string]string{"OPENCODE_DB": ":memory:"}, "/home/dev/.local/share/opencode", []string{sessions}, nil},
		{"Kilo's elsewhere", opencode.Adapter{Name: core.Kilo}, map[string]string{"KILO_DB": "/srv/kilo.db", "OPENCODE_DB": "/srv/no.db"}, "/srv", []string{"kilo.db"}, []string{"no.db"}},
	} {
		for _, system := range []string{"linux", "darwin", "windows"} {
			if system == "windows" && filepath.Separator == '/' && tt.vars["OPENCODE_DB"] != "" {
				continue // which paths are absolute is this system's
			}
			env := discover.Env{OS: system, Home: filepath.FromSlash("/home/dev"), Getenv: func(name string) string { return filepath.FromSlash(tt.vars[name]) }}
			holds := func(file string) bool {
				for _, r := range discover.Roots([]core.Adapter{tt.tool}, env) {
					if r.Dir == filepath.FromSlash(tt.dir) && r.Holds(file) {
						return true
					}
				}
				return false
			}
			for _, file := range tt.holds {
				if !holds(file) {
					t.Errorf("%s, %s: %s is not found", tt.name, system, file)
				}
			}
			for _, file := range tt.not {
				if holds(file) {
					t.Errorf("%s, %s: %s is found", tt.name, system, file)
				}
			}
		}
	}
}
