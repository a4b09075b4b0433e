package memoryv1_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
)

// linter holds a document to the rules that buf calls STANDARD, and to COMMENTS for
// what others read: services, calls, messages and enums.
type linter struct {
	said     []string
	requests map[protoreflect.FullName]bool // that a call has
}

func (l *linter) wants(ok bool, rule string, d protoreflect.Descriptor) {
	if !ok {
		l.said = append(l.said, rule+" "+string(d.FullName()))
	}
}

func (l *linter) file(f protoreflect.FileDescriptor) {
	pkg := string(f.Package())
	l.wants(strings.ReplaceAll(pkg, ".", "/") == path.Dir(f.Path()), "PACKAGE_DIRECTORY_MATCH", f)
	l.wants(regexp.MustCompile(`^[a-z0-9_]+(\.[a-z0-9_]+)*\.v[1-9][0-9]*$`).MatchString(pkg), "PACKAGE_VERSION_SUFFIX", f)
	l.wants(regexp.MustCompile(`^[a-z0-9_]+\.proto$`).MatchString(path.Base(f.Path())), "FILE_LOWER_SNAKE_CASE", f)
	l.wants(f.Syntax() == protoreflect.Proto3, "SYNTAX_SPECIFIED", f)
	for i := range f.Services().Len() {
		l.service(f.Services().Get(i))
	}
	l.messages(f.Messages())
	l.enums(f.Enums())
}

const pascal = `^[A-Z][A-Za-z0-9]*$`

func (l *linter) service(s protoreflect.ServiceDescriptor) {
	name := string(s.Name())
	l.wants(regexp.MustCompile(pascal).MatchString(name) && strings.HasSuffix(name, "Service"), "SERVICE_SUFFIX", s)
	for i := range s.Methods().Len() {
		m := s.Methods().Get(i)
		l.wants(regexp.MustCompile(pascal).MatchString(string(m.Name())), "RPC_PASCAL_CASE", m)
		l.wants(m.Input().Name() == m.Name()+"Request", "RPC_REQUEST_STANDARD_NAME", m)
		l.wants(m.Output().Name() == m.Name()+"Response", "RPC_RESPONSE_STANDARD_NAME", m)
		l.wants(!l.requests[m.Input().FullName()] && !l.requests[m.Output().FullName()], "RPC_REQUEST_RESPONSE_UNIQUE", m)
		l.requests[m.Input().FullName()], l.requests[m.Output().FullName()] = true, true
	}
}

func (l *linter) messages(all protoreflect.MessageDescriptors) {
	for i := range all.Len() {
		m := all.Get(i)
		l.wants(regexp.MustCompile(pascal).MatchString(string(m.Name())), "MESSAGE_PASCAL_CASE", m)
		for k := range m.Fields().Len() {
			f := m.Fields().Get(k)
			l.wants(regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$`).MatchString(string(f.Name())), "FIELD_LOWER_SNAKE_CASE", f)
			l.wants(f.Cardinality() != protoreflect.Required, "FIELD_NOT_REQUIRED", f)
		}
		l.messages(m.Messages())
		l.enums(m.Enums())
	}
}

// enums wants values named after their enum, and a zero that stands for none.
func (l *linter) enums(all protoreflect.EnumDescriptors) {
	for i := range all.Len() {
		e := all.Get(i)
		l.wants(regexp.MustCompile(pascal).MatchString(string(e.Name())), "ENUM_PASCAL_CASE", e)
		prefix := strings.ToUpper(regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(string(e.Name()), "${1}_$2")) + "_"
		for k := range e.Values().Len() {
			v := e.Values().Get(k)
			l.wants(strings.HasPrefix(string(v.Name()), prefix) && regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`).MatchString(string(v.Name())), "ENUM_VALUE_PREFIX", v)
			l.wants((v.Number() == 0) == (string(v.Name()) == prefix+"UNSPECIFIED"), "ENUM_ZERO_VALUE_SUFFIX", v)
		}
	}
}

// TestLint holds the document to the rules of buf.
func TestLint(t *testing.T) {
	l := linter{requests: map[protoreflect.FullName]bool{}}
	l.file(memoryv1.File_memscribe_memory_v1_memory_proto)
	for _, said := range l.said {
		t.Error(said)
	}
	if len(l.requests) != 14 {
		t.Errorf("%d messages of calls", len(l.requests))
	}
}

// TestLintFinds shows the linter documents that break its rules.
func TestLintFinds(t *testing.T) {
	for body, want := range map[string]string{
		"message Bad_name {}":                                       "MESSAGE_PASCAL_CASE",
		"message M { string badName = 1; }":                         "FIELD_LOWER_SNAKE_CASE",
		"enum E { E_NONE = 0; }":                                    "ENUM_ZERO_VALUE_SUFFIX",
		"enum E { E_UNSPECIFIED = 0; OTHER = 1; }":                  "ENUM_VALUE_PREFIX",
		"service Things {}":                                         "SERVICE_SUFFIX",
		"message A {} service S1Service { rpc Do(A) returns (A); }": "RPC_REQUEST_STANDARD_NAME",
	} {
		l := linter{requests: map[protoreflect.FullName]bool{}}
		l.file(compiled(t, "syntax = \"proto3\"; package memscribe.memory.v1; "+body))
		if !strings.Contains(strings.Join(l.said, "\n"), want) {
			t.Errorf("%s: %q, want %s", body, l.said, want)
		}
	}
}

// compiled is a document, compiled.
func compiled(t *testing.T, text string) protoreflect.FileDescriptor {
	t.Helper()
	c := protocompile.Compiler{Resolver: &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{document: text})}}
	files, err := c.Compile(t.Context(), document)
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}

// TestCommented wants a comment before every service, call, message and enum: the
// document is what others read.
func TestCommented(t *testing.T) {
	r := request(t, "")
	f := r.GetProtoFile()[len(r.GetProtoFile())-1]
	said := map[string]bool{}
	for _, l := range f.GetSourceCodeInfo().GetLocation() {
		if l.GetLeadingComments() != "" {
			said[pathOf(l.GetPath())] = true
		}
	}
	wants := func(name string, at ...int32) {
		if !said[pathOf(at)] {
			t.Errorf("%s has no comment", name)
		}
	}
	for i, s := range f.GetService() {
		wants(s.GetName(), 6, int32(i))
		for k, m := range s.GetMethod() {
			wants(m.GetName(), 6, int32(i), 2, int32(k))
		}
	}
	for i, m := range f.GetMessageType() {
		wants(m.GetName(), 4, int32(i))
		for k, e := range m.GetEnumType() {
			wants(e.GetName(), 4, int32(i), 4, int32(k))
		}
	}
	for i, e := range f.GetEnumType() {
		wants(e.GetName(), 5, int32(i))
	}
}

// pathOf is a place in a document, as the compiler numbers it.
func pathOf(numbers []int32) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(".")
		b.WriteRune('0' + n)
	}
	return b.String()
}
