package archtest

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// checkDocs demands of every package one comment that says what it is for, and
// of every exported name one that says what it promises.
func (t *tree) checkDocs() {
	synopses, comments := t.synopses()
	for _, pkg := range slices.Sorted(maps.Keys(synopses)) {
		switch {
		case synopses[pkg] == "":
			t.found = append(t.found, Violation{pkg, "no package comment"})
		case comments[pkg] > 1:
			t.found = append(t.found, Violation{pkg, "more than one package comment"})
		}
	}
	for _, f := range t.files {
		if !f.test && !f.made {
			t.checkExported(f)
		}
	}
}

// synopses gives each package the first sentence of its comment, and the number
// of its files that have one. Packages of tests only are left out.
func (t *tree) synopses() (first map[string]string, comments map[string]int) {
	first, comments = map[string]string{}, map[string]int{}
	for _, f := range t.files {
		if f.test {
			continue
		}
		if _, ok := first[f.pkg]; !ok {
			first[f.pkg] = ""
		}
		if f.ast.Doc != nil && strings.TrimSpace(f.ast.Doc.Text()) != "" {
			comments[f.pkg]++
			first[f.pkg] = new(doc.Package).Synopsis(f.ast.Doc.Text())
		}
	}
	return first, comments
}

func (t *tree) checkExported(f *file) {
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && !wellKnown(d) {
				t.add(d.Pos(), "exported %s without a comment", d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if name, doc := declared(spec); name != nil && d.Doc == nil && doc == nil {
					t.add(spec.Pos(), "exported %s without a comment", name.Name)
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if gen, ok := typ.(*ast.IndexExpr); ok {
		typ = gen.X
	}
	id, ok := typ.(*ast.Ident)
	return !ok || id.IsExported()
}

// wellKnown are the methods whose promise is common knowledge.
func wellKnown(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"String", "Error", "Unwrap", "Len", "Less", "Swap"}, d.Name.Name)
}

// declared is the exported name that a declaration makes, nil if none, and the
// comment on it, above or beside it.
func declared(spec ast.Spec) (*ast.Ident, *ast.CommentGroup) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			return s.Name, cmp.Or(s.Doc, s.Comment)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				return n, cmp.Or(s.Doc, s.Comment)
			}
		}
	}
	return nil, nil
}

// codeMap is the heading under which ARCHITECTURE.md lists the packages, a line
// each, in a block of code: the folder, two spaces or more, and the first
// sentence of the package comment without "Package x" and the stop.
const codeMap = "## Code map"

// checkCodeMap compares the code map with the packages. Without ARCHITECTURE.md
// there is nothing to compare.
func (t *tree) checkCodeMap(root fs.FS) error {
	const name = "ARCHITECTURE.md"
	b, err := fs.ReadFile(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read code map: %w", err)
	}
	have := map[string]string{}
	_, section, found := strings.Cut(string(b), "\n"+codeMap+"\n")
	if !found {
		t.found = append(t.found, Violation{name, "no heading " + codeMap})
	}
	section, _, _ = strings.Cut(section, "\n## ")
	fenced := false
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		pkg, sentence, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if fenced && ok {
			have[pkg] = strings.TrimSpace(sentence)
		}
	}
	t.compareCodeMap(name, have)
	return nil
}

func (t *tree) compareCodeMap(name string, have map[string]string) {
	synopses, _ := t.synopses()
	for _, pkg := range slices.Sorted(maps.Keys(synopses)) {
		want := sentence(synopses[pkg])
		if got, ok := have[pkg]; !ok || got != want {
			t.found = append(t.found, Violation{name, fmt.Sprintf("the code map wants the line %q, has %q", pkg+"  "+want, got)})
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(have)) {
		if _, ok := synopses[pkg]; !ok {
			t.found = append(t.found, Violation{name, fmt.Sprintf("the code map names %q, which is no package", pkg)})
		}
	}
}

// sentence is a synopsis without its first two words and its stop: what the
// package does.
func sentence(synopsis string) string {
	if words := strings.SplitN(synopsis, " ", 3); len(words) == 3 && (words[0] == "Package" || words[0] == "Command") {
		synopsis = words[2]
	}
	return strings.TrimSuffix(synopsis, ".")
}
