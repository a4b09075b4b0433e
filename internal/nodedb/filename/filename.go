// Package filename reads the name of a file as a person gives it, from any system, for a search
// of recorded paths.
//
//	./src/db.go          Base db.go, End /src/db.go      any path that ends so
//	C:\work\db.go        Base db.go, End ""              this path only
//	db.go                Base db.go, End /db.go
//
// The database has an index of the last element, so a search looks up Base and then compares
// the ends.
package filename

import "strings"

// Name is a file as a person names it: by its path, which End may be the end of.
type Name struct {
	Path, Base string
	End        string // with slashes, whatever the path has; "" if the path is absolute
}

// Of reads a name of a file.
func Of(path string) Name {
	f := Name{Path: strings.TrimPrefix(path, "./")}
	f.Base = f.Path[strings.LastIndexAny(f.Path, `/\`)+1:]
	if !absolute(f.Path) {
		f.End = "/" + strings.ReplaceAll(f.Path, `\`, "/")
	}
	return f
}

// absolute reports whether a path is absolute, on Windows or elsewhere.
func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || len(path) > 2 && path[1] == ':'
}
