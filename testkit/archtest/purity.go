package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

type importSpec = ast.ImportSpec

// pure are the packages that must be functions of their input.
func pure() []string { return []string{"core", "core/", "adapters", "adapters/"} }

// pureStd is what of the standard library they may import: nothing that opens,
// waits, logs, counts time or draws a number, and no way to share memory.
func pureStd() []string {
	return []string{
		"bytes", "cmp", "compress/flate", "container/", "crypto/hmac", "crypto/sha256", "embed", "encoding/", "errors", "fmt", "hash/", "html",
		"iter", "maps", "math", "math/bits", "net/url", "path", "regexp", "regexp/syntax", "slices", "sort", "strconv",
		"strings", "time", "unicode", "unicode/",
	}
}

// clock lists what of package time looks at a clock or waits for one.
func clock() []string {
	return []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"}
}

// output lists what of package fmt and the builtins writes somewhere.
func output() []string { return []string{"Print", "Printf", "Println"} }

// checkPurity holds the pure packages to what they may do, and all packages but
// tests and the testkit to having no init and no state of their own.
func (t *tree) checkPurity() {
	for _, f := range t.files {
		if f.test || covers("testkit/", f.pkg) {
			continue
		}
		if !f.made && !slices.Contains(memos(), f.name) {
			t.checkState(f)
		}
		if f.pkg == "io" {
			t.add(f.ast.Pos(), "io is a folder, not a package")
		}
		if coversAny(pure(), f.pkg) {
			t.checkPure(f)
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if isName(n.Fun, "panic") {
					t.add(n.Pos(), "panic")
				}
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" {
					t.checkGoroutine(f, n.Pos())
				}
			case *ast.GoStmt:
				t.checkGoroutine(f, n.Pos())
			}
			return true
		})
	}
}

// memos lists the files that keep something which is expensive to make and never
// changes.
func memos() []string {
	return []string{"internal/verify/trial/run.go"} // the compiled rules: tests make thousands of captures
}

// goroutines lists the files that start some. A panic on a goroutine of one's own
// ends the program, and the runtime writes what it says to stderr as it is: what
// runs there reads nothing that a person or a tool has written, or catches its
// panics with internal/panics, or (net/http) has them caught.
func goroutines() []string {
	return []string{
		"internal/interrupt/interrupt.go",     // waits for a signal
		"internal/interrupt/read.go",          // reads, and looks at nothing
		"internal/app/retention/retention.go", // what it runs is caught
		"internal/app/pagesource/numbers.go",  // what it runs is caught
		"internal/app/source/lanes.go",        // what it runs is caught
		"internal/app/watch/lookout.go",       // what it runs is caught
		"internal/app/watch/sharing.go",       // what it runs is caught
		"internal/app/watch/shown.go",         // serves by HTTP
		"internal/app/watch/telemetry.go",     // waits; what is received is caught
		"internal/daemon/service.go",          // what it runs is caught
		"internal/page/live/live.go",          // what it runs is caught
		"io/otlp/receiver.go",                 // every request is caught
		"io/status/serve.go",                  // waits, then shuts down
		"sink/memdb/remote.go",                // every attempt to send is caught
		"sink/memdb/client/client.go",         // every call is caught
		"sink/memdb/audit/audit.go",           // every delivery is caught
		"sink/memdb/embed/fill.go",            // what it runs is caught
		"sink/internal/prefetch/prefetch.go",  // what it runs is caught
		"sink/sinktest/suite.go",              // a test's
		"sink/memdb/pgstore/hints.go",         // every hint is caught
		"sink/memdb/server/listen.go",         // serves by HTTP, and listens, which is caught
	}
}

func (t *tree) checkGoroutine(f *file, at token.Pos) {
	if !coversAny(pure(), f.pkg) && !slices.Contains(goroutines(), f.name) {
		t.add(at, "a goroutine whose panic may stay uncaught: see goroutines in testkit/archtest")
	}
}

func (t *tree) checkPure(f *file) {
	f.imports(func(spec *importSpec, imp string) bool {
		if std := !strings.Contains(strings.Split(imp, "/")[0], "."); std && !coversAny(pureStd(), imp) {
			t.add(spec.Pos(), "%s is pure and may not import %q", f.pkg, imp)
		}
		if spec.Name != nil && spec.Name.Name == "." {
			t.add(spec.Pos(), "dot import")
		}
		return true
	})
	timeName, fmtName := f.nameOf("time"), f.nameOf("fmt")
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.add(n.Pos(), "%s is pure and may not start a goroutine", f.pkg)
		case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			t.add(n.Pos(), "%s is pure and has no use for channels", f.pkg)
		case *ast.SelectorExpr:
			if timeName != "" && isName(n.X, timeName) && slices.Contains(clock(), n.Sel.Name) {
				t.add(n.Pos(), "%s is pure and may not use time.%s", f.pkg, n.Sel.Name)
			}
			if fmtName != "" && isName(n.X, fmtName) && slices.Contains(output(), n.Sel.Name) {
				t.add(n.Pos(), "%s is pure and may not use fmt.%s", f.pkg, n.Sel.Name)
			}
		case *ast.CallExpr:
			if isName(n.Fun, "print") || isName(n.Fun, "println") {
				t.add(n.Pos(), "%s is pure and may not print", f.pkg)
			}
		}
		return true
	})
}

// nameOf is the name by which a file knows a package of the standard library;
// "" if it does not import it.
func (f *file) nameOf(std string) string {
	name := ""
	f.imports(func(spec *importSpec, imp string) bool {
		if imp == std {
			name = std
			if spec.Name != nil {
				name = spec.Name.Name
			}
		}
		return true
	})
	return name
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// checkState finds init functions and package variables that are neither errors
// nor bytes that stand for a constant.
func (t *tree) checkState(f *file) {
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				t.add(d.Pos(), "func init")
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				t.checkVar(d, spec.(*ast.ValueSpec))
			}
		}
	}
}

func (t *tree) checkVar(d *ast.GenDecl, v *ast.ValueSpec) {
	for _, doc := range []*ast.CommentGroup{d.Doc, v.Doc} {
		if doc != nil && strings.Contains(doc.List[len(doc.List)-1].Text, "//go:embed") {
			return
		}
	}
	for i, name := range v.Names {
		if name.Name != "_" && (i >= len(v.Values) || !constant(v.Values[i])) {
			t.add(name.Pos(), "package variable %s", name.Name)
		}
	}
}

// constant reports whether a value is one that Go has no constants for: an
// error, or a text as bytes.
func constant(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		return isName(fun.X, "errors") && fun.Sel.Name == "New" || isName(fun.X, "fmt") && fun.Sel.Name == "Errorf"
	case *ast.ArrayType:
		return isName(fun.Elt, "byte") && fun.Len == nil
	default:
		return false
	}
}
