// Command licences writes the licences and notices of all that the program is made of, Go and
// the modules of every system, into one file. A module that has none is an error. It is run in
// the root of the checkout.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		_, _ = fmt.Fprintln(os.Stderr, "usage: licences FILE")
		os.Exit(2)
	}
	text, err := write()
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644) //nolint:gosec // it is published
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// systems returns those that releases are made for.
func systems() []string {
	return []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
}

// source is a file of a licence, by the path and version of its module.
type source struct{ module, file string }

// write returns the text: each licence once, under the modules that have it.
func write() ([]byte, error) {
	all, err := sources()
	if err != nil {
		return nil, err
	}
	under := map[string][]string{} // the modules of a text
	var texts []string             // in the order of their first module
	for _, s := range all {
		b, err := os.ReadFile(s.file)
		if err != nil {
			return nil, fmt.Errorf("read licence: %w", err)
		}
		text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
		if under[text] == nil {
			texts = append(texts, text)
		}
		if !slices.Contains(under[text], s.module) {
			under[text] = append(under[text], s.module)
		}
	}
	var b bytes.Buffer
	b.WriteString("Memscribe is made of the modules below, for one system or another, under these licences.\n")
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(under[text], "\n"), text)
	}
	return b.Bytes(), nil
}

// sources lists the licences, by module.
func sources() ([]source, error) {
	root, err := output("linux/amd64", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all := []source{{"Go and its standard library", filepath.Join(strings.TrimSpace(root), "LICENSE")}}
	found := map[source]bool{}
	has := map[string]bool{}
	for _, system := range systems() {
		list, err := output(system, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/memscribe")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 3 {
				continue
			}
			files, err := above(f[2], f[1])
			if err != nil {
				return nil, err
			}
			has[f[0]] = has[f[0]] || len(files) > 0
			for _, file := range files {
				found[source{f[0], file}] = true
			}
		}
	}
	for module, known := range has {
		if !known {
			return nil, errors.New(module + " has no licence")
		}
	}
	more := make([]source, 0, len(found))
	for s := range found {
		more = append(more, s)
	}
	slices.SortFunc(more, func(a, b source) int {
		return strings.Compare(a.module+"\t"+a.file, b.module+"\t"+b.file)
	})
	return append(all, more...), nil
}

// above lists the licences in a folder of a module and in those above it.
func above(dir, module string) (files []string, err error) {
	is := regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense)[^/]*$`)
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("look for licences: %w", err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() && is.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), ".go") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
		if dir == module || len(dir) < len(module) {
			return files, nil
		}
		dir = filepath.Dir(dir)
	}
}

// output returns what go says of one system.
func output(system string, args ...string) (string, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", args...) //nolint:gosec,noctx // it is our own, and ends by itself
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s for %s: %w", args[0], system, err)
	}
	return string(b), nil
}
