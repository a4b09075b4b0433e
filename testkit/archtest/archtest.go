// Package archtest checks the architecture of the module: who may import whom, what
// a pure package may do, and that every package has a comment.
//
// It parses the sources itself. A test that asked "go list" would be answered
// from the test cache after the sources have changed.
package archtest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path of the module.
const Module = "github.com/memscribe/memscribe"

// Violation is a place that breaks a rule.
type Violation struct {
	Where string // file:line, or a package
	What  string
}

func (v Violation) String() string { return v.Where + ": " + v.What }

// Check reads the module below root and returns what breaks its rules, sorted.
func Check(root fs.FS) ([]Violation, error) {
	t, err := load(root)
	if err != nil {
		return nil, err
	}
	t.checkImports()
	t.checkPurity()
	t.checkMaps()
	t.checkDocs()
	if err := t.checkCodeMap(root); err != nil {
		return nil, err
	}
	slices.SortFunc(t.found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Where, b.Where), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(t.found), nil
}

// tree is the parsed module.
type tree struct {
	fset  *token.FileSet
	files []*file
	found []Violation
}

type file struct {
	name string // slash-separated, below the root
	pkg  string // the folder; "" is the root's
	test bool
	made bool // by a generator, whose habits are not ours
	ast  *ast.File
}

func load(root fs.FS) (*tree, error) {
	t := &tree{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && strings.ContainsAny(d.Name()[:1], "._")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(t.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse source: %w", err)
		}
		pkg := path.Dir(name)
		if pkg == "." {
			pkg = ""
		}
		t.files = append(t.files, &file{name: name, pkg: pkg, test: strings.HasSuffix(name, "_test.go"), made: ast.IsGenerated(f), ast: f})
		return nil
	})
	return t, err
}

func (t *tree) add(at token.Pos, format string, args ...any) {
	p := t.fset.Position(at)
	t.found = append(t.found, Violation{fmt.Sprintf("%s:%d", p.Filename, p.Line), fmt.Sprintf(format, args...)})
}

// imports yields the paths that a file imports.
func (f *file) imports(yield func(*ast.ImportSpec, string) bool) {
	for _, spec := range f.ast.Imports {
		if imp, err := strconv.Unquote(spec.Path.Value); err == nil && !yield(spec, imp) {
			return
		}
	}
}

// covers reports whether a pattern means a package: itself, or with "/" at its
// end all those below.
func covers(pattern, pkg string) bool {
	if below, ok := strings.CutSuffix(pattern, "/"); ok {
		return strings.HasPrefix(pkg, below+"/")
	}
	return pkg == pattern
}

func coversAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, pkg) })
}
