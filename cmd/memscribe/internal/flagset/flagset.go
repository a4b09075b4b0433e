// Package flagset sets flags from the settings file and the environment.
//
// A command declares the key of a flag with [Bind]; the schema of the settings file consists of
// these keys. [Apply] then sets each flag that was not given on the command line from the
// environment, and else from the file. How the key, the variable and the flag belong together:
//
//	flag      --otlp-http 127.0.0.1:4318
//	variable  MEMSCRIBE_OTLP_HTTP=127.0.0.1:4318
//	file      [otlp]
//	          http = "127.0.0.1:4318"
//
// A flag that takes several values is a list in the file. In the variable they are separated by
// commas, or, if they are paths, like the paths of PATH.
package flagset

import (
	"encoding/csv"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/internal/config"
)

// The annotations of a flag that is also a setting: its key, its choices, and whether it is
// ignored if there are arguments, or names files.
const (
	keyNote    = "memscribe/key"
	choiceNote = "memscribe/choices"
	argsNote   = "memscribe/without-arguments"
	pathNote   = "memscribe/path"
)

// Bind makes a flag a setting with this key. With choices, any other value is a mistake.
func Bind(f *pflag.Flag, key string, choices ...string) {
	note(f, keyNote, key)
	if len(choices) > 0 {
		note(f, choiceNote, choices...)
	}
}

// WithoutArguments says that the configuration does not set the flag if the command has
// arguments, because they say more precisely what is meant.
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

// KeyOf returns the key of a flag with its type, its default and its help; false if the flag is
// no setting. A flag with choices and an empty default also accepts "".
func KeyOf(f *pflag.Flag) (config.Key, bool) {
	name := f.Annotations[keyNote]
	if len(name) == 0 {
		return config.Key{}, false
	}
	k := config.Key{
		Name: name[0], Kind: config.Text, Choices: f.Annotations[choiceNote], About: f.Usage, Flag: f.Name, Variable: config.Variable(name[0]),
	}
	switch f.Value.Type() {
	case "bool":
		k.Kind = config.Bool
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "count":
		k.Kind = config.Int
	case "float32", "float64":
		k.Kind = config.Number
	case "duration":
		k.Kind = config.Span
	}
	if len(k.Choices) > 0 && k.Kind == config.Text && f.DefValue == "" {
		k.Choices = append([]string{""}, k.Choices...)
	}
	if s, ok := f.Value.(pflag.SliceValue); ok {
		k.Kind = config.Texts
		k.Default = config.TOML(s.GetSlice())
		return k, true
	}
	k.Default = f.DefValue
	if k.Kind == config.Text || k.Kind == config.Span {
		k.Default = config.TOML(f.DefValue)
	}
	return k, true
}

// Apply sets every flag that has a key and was not given on the command line. The error has all
// mistakes, as [config.Problems].
func Apply(s *config.Settings, flags *pflag.FlagSet, args []string) error {
	var found config.Problems
	flags.VisitAll(func(f *pflag.Flag) {
		if _, only := f.Annotations[argsNote]; only && len(args) > 0 {
			return
		}
		if _, p := Set(s, f); p != nil {
			found = append(found, p)
		}
	})
	return found.Err()
}

// Set sets one flag unless it was given on the command line, and returns where its value comes
// from. The zero Origin means the default.
func Set(s *config.Settings, f *pflag.Flag) (config.Origin, *config.Problem) {
	k, ok := KeyOf(f)
	switch {
	case !ok:
		return config.Origin{}, nil
	case f.Changed:
		return config.Origin{Flag: f.Name}, nil
	case s.Getenv != nil && s.Getenv(k.Variable) != "":
		return config.Origin{Variable: k.Variable}, fromVariable(&k, f, s.Getenv(k.Variable))
	case s.File != nil && s.File.Has(k.Name):
		at := s.File.At(k.Name)
		return config.Origin{Place: &at}, fromFile(s, f, k)
	}
	return config.Origin{}, nil
}

// fromVariable sets a flag from the text of an environment variable.
func fromVariable(k *config.Key, f *pflag.Flag, text string) *config.Problem {
	fail := func(message, hint string) *config.Problem {
		return &config.Problem{Variable: k.Variable, Message: message, Hint: hint}
	}
	values := []string{text}
	if k.Kind == config.Texts {
		var err error
		if values, err = splitList(f, text); err != nil {
			return fail("cannot be read as a list: "+err.Error(), "")
		}
	}
	for _, v := range values {
		if len(k.Choices) > 0 && !slices.Contains(k.Choices, v) {
			return fail("unknown value "+strconv.Quote(v), config.Meant(v, k.Choices))
		}
	}
	if err := assign(f, values); err != nil {
		return fail(err.Error(), "")
	}
	return nil
}

// splitList splits a list in a variable: at commas, where values may be quoted as in CSV; or,
// for a flag that takes one path at a time, at the separator of PATH.
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
func fromFile(s *config.Settings, f *pflag.Flag, k config.Key) *config.Problem {
	d := s.File
	values := d.Texts(k.Name)
	if k.Kind != config.Texts {
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

// assign sets the value of a flag, but does not mark it as given on the command line.
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

// ValueOf returns the value of a flag, as TOML.
func ValueOf(f *pflag.Flag) string {
	if s, ok := f.Value.(pflag.SliceValue); ok {
		return config.TOML(s.GetSlice())
	}
	if k, ok := KeyOf(f); ok && k.Kind != config.Text && k.Kind != config.Span {
		return f.Value.String()
	}
	return config.TOML(f.Value.String())
}
