// Package command finds the arguments of commands that may be passwords. A table says how some
// hundred and fifty kinds of command take one. Commands are found in lines of a shell, in
// lists, and in calls.
//
//	curl -u user:X https://…      *u{:}      user and password behind the option
//	mysql -pX                     -p.        the password is joined to the option
//	echo X | sudo -S              *S<        it comes by standard input
//	sshpass -p X                  -p         joined, or the next argument
//	htpasswd -b file user X       #3         the third argument that is no option
//
// The forms on the right are those of options.tsv, whose head explains them all. Whether an
// argument is a password, the [Judge] decides.
package command

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// optionTable says how commands take a password; its head explains the columns.
//
//go:embed options.tsv
var optionTable string

// Command is a kind of command that takes a password: a line of the table.
type Command struct {
	Words    string // in lower case, parted by |; one of them begins the command
	forms    []form
	indented bool // it may continue on indented lines
}

// form is one way in which a command takes a password, parsed from the table.
type form struct {
	lead    string // the option; empty for an argument that is no option
	nth     int    // which of those; fromEnd is the last
	glued   bool   // the password is joined to the option
	spaced  bool   // it is the next argument, or stands behind an equals sign
	cluster bool   // the option may end a cluster of short ones
	named   bool   // the option is any name that promises a secret
	here    bool   // the password begins where the words end
	asked   bool   // if a text before asks for it
	stdin   bool   // it comes by standard input
	prints  bool   // the command prints it
	parts   string // signs between a user's name and the password
}

// fromEnd counts an argument from the end of a command.
const fromEnd = -1

// All returns the commands of the table.
func All() ([]Command, error) {
	var all []Command
	for line := range strings.Lines(optionTable) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		words, forms, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("read options of %q: want two columns", words)
		}
		c := Command{Words: words}
		for f := range strings.SplitSeq(forms, " ") {
			if f == "~" {
				c.indented = true
				continue
			}
			one, err := parseForm(f)
			if err != nil {
				return nil, fmt.Errorf("read options of %q: form %q: %w", words, f, err)
			}
			c.forms = append(c.forms, one)
		}
		all = append(all, c)
	}
	return all, nil
}

// parseForm reads one form of the table.
func parseForm(s string) (form, error) {
	var f form
	if lead, parts, ok := strings.Cut(s, "{"); ok {
		s, f.parts = lead, strings.TrimSuffix(parts, "}")
	}
	last := len(s) - 1
	switch {
	case s == "":
		return f, errors.New("nothing says where the password is")
	case s == "." || s == "?.":
		f.here, f.asked = true, s == "?."
	case s == ">":
		f.prints = true
	case s == "name_=":
		f.named, f.spaced = true, true
	case s == "#$":
		f.nth = fromEnd
	case s[0] == '#':
		n, err := strconv.Atoi(s[1:])
		if err != nil || n < 1 {
			return f, errors.New("want a number behind #")
		}
		f.nth = n
	case s[0] == '*':
		f.cluster, f.spaced = true, true
		s = "-" + s[1:]
		fallthrough
	default:
		switch s[last] {
		case '_':
			f.spaced, s = true, s[:last]
		case '.':
			f.glued, s = true, s[:last]
		case '<':
			f.stdin, s = true, s[:last]
		default:
			f.glued, f.spaced = !f.cluster, true
		}
		f.lead = s
	}
	return f, nil
}
