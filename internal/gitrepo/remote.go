package gitrepo

import (
	"context"
	"net/url"
	"strings"
)

// Remote returns the address of the remote origin, as the repository's configuration has it; ""
// if there is none. It may hold a password.
func (r *Repo) Remote(ctx context.Context) string {
	out, err := r.git(ctx, "config", "--get", "remote.origin.url")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// FullName returns the owner and the name of the repository that an address leads to, as
// "org/repo"; "" if the address has no host, or leads into a home folder. User and
// password of an address are not looked at.
//
//	https://github.com/org/repo.git    org/repo
//	git@github.com:org/repo.git        org/repo
//	ssh://git@host/group/org/repo      org/repo
//	/srv/git/org/repo.git              ""
//	host:/home/ann/org/repo.git        ""
func FullName(address string) string {
	path := ""
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && u.Host != "" {
		path = u.Path
	} else if host, rest, ok := strings.Cut(address, ":"); ok && len(host) > 1 && !strings.ContainsAny(host, `/\`) && !strings.HasPrefix(rest, "//") {
		path = rest // as scp has it; a host of one letter is a drive of Windows
	}
	elements := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	if len(elements) < 2 || isHome(elements[0]) {
		return ""
	}
	elements = elements[len(elements)-2:]
	repo := strings.TrimSuffix(elements[1], ".git")
	if repo == "" {
		return ""
	}
	return elements[0] + "/" + repo
}

// isHome reports whether a path that begins with an element leads into a home folder.
func isHome(first string) bool {
	switch strings.ToLower(first) {
	case "home", "users", "root":
		return true
	}
	return strings.HasPrefix(first, "~")
}
