package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a setting's value.
type Kind uint8

// The kinds.
const (
	Text   Kind = iota
	Bool        // true or false
	Int         // a whole number
	Number      // a number
	Span        // a text that says how long: "1h30m"
	Texts       // a list of texts
)

// String names the kind in messages.
func (k Kind) String() string {
	return [...]string{"text", "true or false", "a whole number", "a number", `a time such as "1h30m"`, "a list of texts"}[k]
}

// Key describes one setting: how it is checked, and what [Schema.Example] writes about it.
type Key struct {
	// Name is its path. A * stands for any name, and [] behind one says that it is
	// of a list of tables: "redact.rules[].pattern".
	Name    string
	Kind    Kind
	Choices []string // if there are any, nothing else is allowed
	About   string   // what it is good for
	Default string   // as TOML; or ""
	Example string   // as TOML; or ""
	Flag    string   // that sets it; or ""
	// Variable is of the environment and sets it; or "".
	Variable string
}

// Schema is the settings that a file may hold. The zero Schema has none. It keeps them twice:
// as a list, in the order in which the example shows them, and as a tree, by which a file is
// checked.
type Schema struct {
	keys []Key
	root branch
}

// branch is what may stand at a path: exactly one of a setting, a table, and a list of tables
// (a table with list set).
type branch struct {
	key  *Key               // a setting
	list bool               // a list of tables
	sub  map[string]*branch // a table; "*" is any name
}

// Add adds keys. Of two with the same name the first one counts.
func (s *Schema) Add(keys ...Key) {
	for _, k := range keys {
		at := &s.root
		for segment := range strings.SplitSeq(k.Name, ".") {
			name, list := strings.CutSuffix(segment, "[]")
			if at.sub == nil {
				at.sub = map[string]*branch{}
			}
			if at.sub[name] == nil {
				at.sub[name] = &branch{list: list}
			}
			at = at.sub[name]
		}
		if at.key == nil {
			at.key = &k
			s.keys = append(s.keys, k)
		}
	}
}

// Keys returns the keys in the order in which they were added.
func (s *Schema) Keys() []Key { return s.keys }

// Check returns everything in a document that the schema does not allow: unknown names, values
// of the wrong kind, and values that are not among the choices. Values that depend on each
// other are not its business; whoever reads the settings adds those problems with
// [Document.Problem].
func (s *Schema) Check(d *Document) Problems {
	c := checker{schema: s, document: d}
	c.table("", &s.root, d.tree)
	return c.found
}

// checker compares a document with a schema and gathers what is wrong.
type checker struct {
	schema   *Schema
	document *Document
	found    Problems
}

// add adds a problem at the place of a key.
func (c *checker) add(path, hint, format string, args ...any) {
	p := c.document.Problem(path, format, args...)
	p.Hint = hint
	c.found = append(c.found, p)
}

// table checks the members of a table. A name that the schema does not know is a
// problem with a hint at what is near.
func (c *checker) table(path string, b *branch, table map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		at := Join(path, name)
		sub := b.sub[name]
		if sub == nil {
			sub = b.sub["*"]
		}
		if sub == nil {
			c.unknown(at, name, path, b)
			continue
		}
		c.branch(at, sub, table[name])
	}
}

// unknown reports a name that the table does not have. The hint is the first of these that
// there is: a similar name in the same table; the same name in another table, in which it was
// probably meant; all names of the table, if they are few.
func (c *checker) unknown(at, name, path string, b *branch) {
	known := slices.Sorted(maps.Keys(b.sub))
	hint := ""
	if near := Nearest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", Join(path, near))
	}
	for _, k := range c.schema.keys {
		if hint == "" && strings.HasSuffix(k.Name, "."+name) {
			hint = fmt.Sprintf("did you mean %q?", k.Name)
		}
	}
	if hint == "" {
		hint = Meant(name, known)
	}
	c.add(at, hint, "unknown key %q", at)
}

// branch checks one member: a value, a table or a list of tables.
func (c *checker) branch(at string, b *branch, v any) {
	if b.key != nil {
		c.value(at, b.key, v)
		return
	}
	if !b.list {
		if table, ok := v.(map[string]any); ok {
			c.table(at, b, table)
			return
		}
		c.add(at, "write ["+at+"] and its settings below", "%s is a table, not %s", at, kindOf(v))
		return
	}
	list, ok := v.([]any)
	if !ok {
		c.add(at, "write [["+at+"]] with two brackets", "%s is a list of tables, not %s", at, kindOf(v))
	}
	for i, x := range list {
		element := at + "[" + strconv.Itoa(i) + "]"
		if table, ok := x.(map[string]any); ok {
			c.table(element, b, table)
			continue
		}
		c.add(element, "write [["+at+"]] with two brackets", "%s is a list of tables, not of %s", at, kindOf(x))
	}
}

// value checks a value against its key. Of a list, each element that is wrong is a problem of
// its own.
func (c *checker) value(at string, k *Key, v any) {
	if k.Kind != Texts {
		if message, hint := k.wrong(v); message != "" {
			c.add(at, hint, "%s: %s", at, message)
		}
		return
	}
	list, ok := v.([]any)
	if !ok {
		hint := ""
		if s, isText := v.(string); isText {
			hint = fmt.Sprintf("write [%q]", s)
		}
		c.add(at, hint, "%s: want %s, have %s", at, k.Kind, kindOf(v))
	}
	for i, x := range list {
		if _, ok := x.(string); !ok {
			c.add(at+"["+strconv.Itoa(i)+"]", "", "%s: want %s, have %s in it", at, k.Kind, kindOf(x))
			continue
		}
		if message, hint := k.wrong(x); message != "" {
			c.add(at+"["+strconv.Itoa(i)+"]", hint, "%s: %s", at, message)
		}
	}
}

// wrong returns what is wrong with a single value, and a hint; both are "" if it is right. A
// whole number will do where any number will. NaN and infinity, which TOML has, are no numbers.
func (k *Key) wrong(v any) (message, hint string) {
	ok := false
	switch v := v.(type) {
	case string:
		ok = k.Kind == Text || k.Kind == Texts || k.Kind == Span
		if k.Kind == Span {
			if _, err := time.ParseDuration(v); err != nil {
				return fmt.Sprintf("%q is no time", v), `write it as "90s", "15m" or "1h30m"`
			}
		}
		if ok && len(k.Choices) > 0 && !slices.Contains(k.Choices, v) {
			return fmt.Sprintf("unknown value %q", v), Meant(v, k.Choices)
		}
	case bool:
		ok = k.Kind == Bool
	case int64:
		ok = k.Kind == Int || k.Kind == Number
	case float64:
		ok = k.Kind == Number && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	if !ok {
		return fmt.Sprintf("want %s, have %s", k.Kind, kindOf(v)), ""
	}
	return "", ""
}

// kindOf names the kind of a value that was found.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	default:
		return "a date"
	}
}
