package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Variable returns the environment variable for a key.
func Variable(key string) string {
	return "MEMSCRIBE_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// TOML writes a text or a list of texts as the file would.
func TOML(v any) string {
	switch v := v.(type) {
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = TOML(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range v {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteRune(c)
			case c < ' ' || c == 0x7f:
				b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
			default:
				b.WriteRune(c)
			}
		}
		return b.String() + `"`
	default:
		return textOf(v)
	}
}

// Settings are what the environment and a file say.
type Settings struct {
	File   *Document // nil: there is none
	Getenv func(string) string
	Home   func() (string, error)
}

// Origin says who has set a value.
type Origin struct {
	Flag     string // a flag on the command line
	Variable string // else a variable of the environment
	Place    *Place // else the file; else it is the default
}

// String names who set a value: a flag, a variable, a line of the file, or the
// default.
func (o Origin) String() string {
	switch {
	case o.Flag != "":
		return "--" + o.Flag
	case o.Variable != "":
		return o.Variable
	case o.Place != nil:
		return o.Place.String()
	default:
		return "default"
	}
}

// Path returns what a path in the file means; "" and - mean no file, nor does the URL of a
// database.
func (s *Settings) Path(name string) (string, error) {
	rest, below := strings.CutPrefix(name, "~")
	switch {
	case name == "" || name == "-" || filepath.IsAbs(name) || strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://"):
		return name, nil
	case below && (rest == "" || os.IsPathSeparator(rest[0])):
		home, err := s.Home()
		return filepath.Join(home, rest), err
	}
	return filepath.Abs(filepath.Join(filepath.Dir(s.File.Name), name))
}

// FileName is what a file of settings is called.
const FileName = "memscribe.toml"

// Find reads the file that is named, or, where none is, the first that exists of
// candidates. Without any the document is nil. An error of the contents is
// [Problems].
func Find(named string, candidates ...string) (*Document, error) {
	if named != "" {
		return Load(named)
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && info.Mode().IsRegular() {
			return Load(c)
		}
	}
	return nil, nil
}

// Load reads a file of settings.
func Load(name string) (*Document, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}
