package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Variable returns the environment variable for a key: "capture.follow_links" gives
// MEMSCRIBE_CAPTURE_FOLLOW_LINKS.
func Variable(key string) string {
	return "MEMSCRIBE_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// TOML writes a value as it would stand in the file. Text is in double quotes with control
// characters, quotes and backslashes escaped; a list of texts stands in brackets.
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

// Settings are where values come from: a file, the environment, and the user's home folder. The
// functions are fields so that tests need no environment of the process.
type Settings struct {
	File   *Document // nil: there is none
	Getenv func(string) string
	Home   func() (string, error)
}

// Origin says where a value comes from. At most one field is set, the first that applies in the
// order flag, variable, file; if none is, the value is the default.
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

// Path returns the absolute path that a setting means: ~ is the home folder, and a relative
// path is relative to the folder of the settings file, not to the working directory, so that a
// service and a shell agree. "" and - (no file, standard output) and URLs of databases stay as
// they are.
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

// Find reads the file that was named. If none was, it reads the first candidate that is a
// regular file; if there is none of those either, it returns nil without an error. If what is
// in the file is wrong, the error is [Problems]; other errors are those of reading it.
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

// Load reads a file of settings. The error is [Problems], or that of reading the file.
func Load(name string) (*Document, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}
