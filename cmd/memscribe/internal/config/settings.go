package config

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// The annotations of a flag that can be set by the configuration.
const (
	keyNote    = "memscribe/key"
	choiceNote = "memscribe/choices"
	argsNote   = "memscribe/without-arguments"
	pathNote   = "memscribe/path"
)

// Bind says that a flag can be set by the key of that name. Of a flag with
// choices every value must be one of them.
func Bind(f *pflag.Flag, key string, choices ...string) {
	note(f, keyNote, key)
	if len(choices) > 0 {
		note(f, choiceNote, choices...)
	}
}

// WithoutArguments says that the configuration sets the flag only where the
// command was given no arguments: those say better what is meant.
func WithoutArguments(f *pflag.Flag) { note(f, argsNote, "") }

// IsPath says that a flag names files or folders. In the file of settings such a
// path may begin with ~/, and one that is relative is meant from the folder of
// that file.
func IsPath(f *pflag.Flag) { note(f, pathNote, "") }

// note adds an annotation to a flag.
func note(f *pflag.Flag, name string, values ...string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[name] = values
}

// KeyOf describes the key by which a flag can be set, if there is one.
func KeyOf(f *pflag.Flag) (Key, bool) {
	name := f.Annotations[keyNote]
	if len(name) == 0 {
		return Key{}, false
	}
	k := Key{
		Name: name[0], Kind: Text, Choices: f.Annotations[choiceNote], About: f.Usage, Flag: f.Name, Variable: Variable(name[0]),
	}
	switch f.Value.Type() {
	case "bool":
		k.Kind = Bool
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "count":
		k.Kind = Int
	case "float32", "float64":
		k.Kind = Number
	case "duration":
		k.Kind = Span
	}
	if len(k.Choices) > 0 && k.Kind == Text && f.DefValue == "" {
		k.Choices = append([]string{""}, k.Choices...)
	}
	if s, ok := f.Value.(pflag.SliceValue); ok {
		k.Kind = Texts
		k.Default = TOML(s.GetSlice())
		return k, true
	}
	k.Default = f.DefValue
	if k.Kind == Text || k.Kind == Span {
		k.Default = TOML(f.DefValue)
	}
	return k, true
}

// Variable is the environment variable for a key.
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

// Apply sets every flag that has a key and was not given on the command line. A
// command with arguments is not touched where a flag says so. The error is
// [Problems].
func (s *Settings) Apply(flags *pflag.FlagSet, args []string) error {
	var found Problems
	flags.VisitAll(func(f *pflag.Flag) {
		if _, only := f.Annotations[argsNote]; only && len(args) > 0 {
			return
		}
		if _, p := s.Set(f); p != nil {
			found = append(found, p)
		}
	})
	return found.Err()
}

// Set sets one flag, unless it was given, and says where its value is from.
func (s *Settings) Set(f *pflag.Flag) (Origin, *Problem) {
	k, ok := KeyOf(f)
	switch {
	case !ok:
		return Origin{}, nil
	case f.Changed:
		return Origin{Flag: f.Name}, nil
	case s.Getenv != nil && s.Getenv(k.Variable) != "":
		return Origin{Variable: k.Variable}, k.fromVariable(f, s.Getenv(k.Variable))
	case s.File != nil && s.File.Has(k.Name):
		at := s.File.At(k.Name)
		return Origin{Place: &at}, s.fromFile(f, k)
	}
	return Origin{}, nil
}

// fromVariable sets a flag from the text of an environment variable.
func (k *Key) fromVariable(f *pflag.Flag, text string) *Problem {
	fail := func(message, hint string) *Problem {
		return &Problem{Variable: k.Variable, Message: message, Hint: hint}
	}
	values := []string{text}
	if k.Kind == Texts {
		var err error
		if values, err = splitList(f, text); err != nil {
			return fail("cannot be read as a list: "+err.Error(), "")
		}
	}
	for _, v := range values {
		if len(k.Choices) > 0 && !slices.Contains(k.Choices, v) {
			return fail("unknown value "+strconv.Quote(v), meant(v, k.Choices))
		}
	}
	if err := assign(f, values); err != nil {
		return fail(err.Error(), "")
	}
	return nil
}

// splitList cuts a list in a variable: at commas, or, of a flag that takes one
// path at a time, as PATH is cut on the system.
func splitList(f *pflag.Flag, text string) ([]string, error) {
	if f.Value.Type() == "stringArray" {
		return filepath.SplitList(text), nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	return r.Read()
}

// fromFile sets a flag from the settings file. Relative paths are relative to the
// folder of the file.
func (s *Settings) fromFile(f *pflag.Flag, k Key) *Problem {
	d := s.File
	values := d.Texts(k.Name)
	if k.Kind != Texts {
		values = []string{d.Text(k.Name)}
	}
	if _, isPath := f.Annotations[pathNote]; isPath {
		for i, v := range values {
			var err error
			if values[i], err = s.Path(v); err != nil {
				return d.Problem(k.Name, "%s: %v", k.Name, err)
			}
		}
	}
	if err := assign(f, values); err != nil {
		return d.Problem(k.Name, "%s: %v", k.Name, err)
	}
	return nil
}

// Path is what a path in the file means; "" and - mean no file, nor does the URL of a
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

// assign gives a flag its value without making it look as if it had been given.
func assign(f *pflag.Flag, values []string) error {
	if s, ok := f.Value.(pflag.SliceValue); ok {
		return s.Replace(values)
	}
	err := f.Value.Set(values[0])
	if ne, ok := errors.AsType[*strconv.NumError](err); ok {
		return errors.New(strconv.Quote(ne.Num) + ": " + ne.Err.Error())
	}
	return err
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
