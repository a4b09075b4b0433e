// Package access decides who may do what in a MemDB: tokens, namespaces and rights.
//
// A token has a name, the namespaces that it is for, and rights in them. It is
// shown once, when it is made; what is kept is its SHA-256, in a database beside
// the signing key and not among the memories: an old copy of the memories brings
// no token back that was revoked.
//
//	capture   team-a        write internal
//	reviewer  team-a team-b read
//	ops       *             admin
//
// How a call is judged:
//
//	a token is sent        unknown, expired or revoked: refused; else its rights
//	no token, but the      refused: once a token was ever created, every call needs one
//	  server has tokens
//	no token, none exists  only this machine may call, with all rights except Internal;
//	                       with a valid proof of [Own], Internal too
//
// Admin includes all other rights. Internal counts only together with Write.
package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Right is something that a token allows.
type Right string

// The rights, each in the namespaces of the token.
const (
	Read     Right = "read"     // get, search and ask for entries
	Write    Right = "write"    // write memories that are external
	Internal Right = "internal" // with write: say of a memory that it is internal, and so trusted
	Forget   Right = "forget"   // forget memories
	Admin    Right = "admin"    // make, change and delete the namespaces, and everything above
)

// Everywhere stands for all namespaces, including those that do not exist yet.
const Everywhere = "*"

// Grant is what a caller may do: some rights in some namespaces.
type Grant struct {
	Name       string // for the logs
	Namespaces []string
	Rights     []Right
	External   bool // it never says that something is internal, whatever its rights are
}

// Full returns a Grant for everything.
func Full(name string) Grant {
	return Grant{Name: name, Namespaces: []string{Everywhere}, Rights: []Right{Admin}}
}

// Tokenless returns a Grant for everything except writing internal memories. It is what a
// caller without a token has on its own machine.
func Tokenless(name string) Grant {
	g := Full(name)
	g.External = true
	return g
}

// May reports whether the caller has a right in a namespace. For Everywhere the right must be
// granted in all namespaces.
func (g *Grant) May(right Right, namespace string) bool {
	if right == Internal && g.External {
		return false
	}
	here := slices.Contains(g.Namespaces, namespace) || slices.Contains(g.Namespaces, Everywhere)
	return here && (slices.Contains(g.Rights, right) || slices.Contains(g.Rights, Admin))
}

// ParseRights parses a list of rights, which must not be empty.
func ParseRights(words []string) (rights []Right, err error) {
	for _, w := range words {
		r := Right(strings.TrimSpace(w))
		if !slices.Contains([]Right{Read, Write, Internal, Forget, Admin}, r) {
			return nil, fmt.Errorf("read rights: %q is none; there are read, write, internal, forget and admin", w)
		}
		if !slices.Contains(rights, r) {
			rights = append(rights, r)
		}
	}
	if len(rights) == 0 {
		return nil, errors.New("read rights: there must be one at least")
	}
	return rights, nil
}
