package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// checkMaps finds loops over maps in pure packages: their order must not reach
// the output. A loop may do one of three things: copy the map into another,
// collect it in a slice that the next statement sorts, or say in a comment on its
// line, with the word "order" or "sorted" in it, why the order does not matter.
// Ranges over maps.Keys, maps.Values and maps.All count too, unless they are
// sorted at once.
func (t *tree) checkMaps() {
	info := t.types()
	for _, f := range t.files {
		if f.test || !coversAny(pure(), f.pkg) {
			continue
		}
		said := t.orderComments(f)
		sorted := map[ast.Stmt]bool{}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				findSorted(n, sorted)
			case *ast.RangeStmt:
				if isMap(info, n.X) && !said[t.line(n.Pos())] && !sorted[n] && !copies(n) {
					t.add(n.Pos(), "range over a map: say in a comment on the line why its order does not matter")
				}
			case *ast.CallExpr:
				return t.checkIterator(n, said)
			}
			return true
		})
	}
}

// findSorted adds the loops of a block that collect something which the next
// statement sorts.
func findSorted(b *ast.BlockStmt, sorted map[ast.Stmt]bool) {
	for i, st := range b.List {
		loop, ok := st.(*ast.RangeStmt)
		if !ok || len(loop.Body.List) != 1 || i+1 == len(b.List) {
			continue
		}
		to, _, ok := assigned(loop.Body.List[0])
		next, isExpr := b.List[i+1].(*ast.ExprStmt)
		if !ok || !isExpr {
			continue
		}
		call, ok := next.X.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		name, isIdent := to.(*ast.Ident)
		if ok && isIdent && isName(fun.X, "slices") && strings.HasPrefix(fun.Sel.Name, "Sort") && isName(call.Args[0], name.Name) {
			sorted[loop] = true
		}
	}
}

// copies reports whether a loop does nothing but set the same key of another
// map.
func copies(loop *ast.RangeStmt) bool {
	key, ok := loop.Key.(*ast.Ident)
	if !ok || len(loop.Body.List) != 1 {
		return false
	}
	to, value, ok := assigned(loop.Body.List[0])
	if !ok {
		return false
	}
	at, ok := to.(*ast.IndexExpr)
	_, plain := value.(*ast.Ident)
	return ok && plain && isName(at.Index, key.Name)
}

// assigned takes a plain assignment apart.
func assigned(st ast.Stmt) (to, value ast.Expr, ok bool) {
	a, ok := st.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil, false
	}
	return a.Lhs[0], a.Rhs[0], true
}

// checkIterator reports whether what is inside the call is still to be looked
// at.
func (t *tree) checkIterator(call *ast.CallExpr, said map[int]bool) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	switch {
	case isName(sel.X, "slices") && strings.HasPrefix(sel.Sel.Name, "Sorted"):
		return false
	case isName(sel.X, "maps") && (sel.Sel.Name == "Keys" || sel.Sel.Name == "Values" || sel.Sel.Name == "All"):
		if !said[t.line(call.Pos())] {
			t.add(call.Pos(), "maps.%s without slices.Sorted", sel.Sel.Name)
		}
	}
	return true
}

// orderComments are the lines of a file with a comment about order.
func (t *tree) orderComments(f *file) map[int]bool {
	lines := map[int]bool{}
	for _, g := range f.ast.Comments {
		for _, c := range g.List {
			if strings.Contains(c.Text, "order") || strings.Contains(c.Text, "sorted") {
				lines[t.line(c.Pos())] = true
			}
		}
	}
	return lines
}

func (t *tree) line(p token.Pos) int { return t.fset.Position(p).Line }

func isMap(info *types.Info, e ast.Expr) bool {
	typ := info.TypeOf(e)
	if typ == nil {
		return false
	}
	_, ok := typ.Underlying().(*types.Map)
	return ok
}

// types finds the types of expressions in the pure packages. Packages outside
// the module are taken for empty: that leaves expressions of their types without
// one, but no map that the module itself declares.
func (t *tree) types() *types.Info {
	c := checker{
		tree: t, done: map[string]*types.Package{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
	}
	for _, f := range t.files {
		if !f.test && coversAny(pure(), f.pkg) {
			c.check(f.pkg)
		}
	}
	return c.info
}

type checker struct {
	tree *tree
	done map[string]*types.Package
	info *types.Info
}

// Import gives the checker the packages that a package imports.
func (c *checker) Import(imp string) (*types.Package, error) {
	if dep, ours := strings.CutPrefix(imp, Module+"/"); ours {
		return c.check(dep), nil
	}
	p := types.NewPackage(imp, path.Base(imp))
	p.MarkComplete()
	return p, nil
}

func (c *checker) check(pkg string) *types.Package {
	if p, ok := c.done[pkg]; ok {
		return p
	}
	c.done[pkg] = types.NewPackage(Module+"/"+pkg, path.Base(pkg)) // ends a cycle
	var files []*ast.File
	for _, f := range c.tree.files {
		if f.pkg == pkg && !f.test {
			files = append(files, f.ast)
		}
	}
	conf := types.Config{Importer: c, Error: func(error) {}} // for what is not there
	p, err := conf.Check(Module+"/"+pkg, c.tree.fset, files, c.info)
	if err == nil || p != nil {
		c.done[pkg] = p
	}
	return c.done[pkg]
}
