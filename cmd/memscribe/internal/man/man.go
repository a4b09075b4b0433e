// Package man writes the manual pages of the program, one for each command, from the texts of
// the commands:
//
//	memscribe query decisions  →  memscribe-query-decisions.1
//
//	Use, Short        NAME, SYNOPSIS
//	Long              DESCRIPTION
//	flags             OPTIONS, OPTIONS OF EVERY COMMAND
//	Example           EXAMPLES
//	parent, children  SEE ALSO
//
// So a page never differs from the help. All output is ASCII.
package man

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// WritePages writes the page of a command and of all visible commands below it into a folder.
// At is the date of the pages.
func WritePages(c *cobra.Command, dir string, at time.Time) error {
	name := filepath.Join(dir, PageName(c)+".1")
	if err := os.WriteFile(name, []byte(page(c, at)), 0o644); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := WritePages(sub, dir, at); err != nil {
			return err
		}
	}
	return nil
}

// PageName returns the name of a command's page, without the section.
func PageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page returns the manual page of a command (man(7)).
func page(c *cobra.Command, at time.Time) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"%s\" \"Memscribe\" \"Memscribe\"\n.nh\n.ad l\n", strings.ToUpper(roff(PageName(c))), at.Format(time.DateOnly))
	b.WriteString(".SH NAME\n" + roff(PageName(c)) + ` \- ` + roff(c.Short) + "\n")
	b.WriteString(".SH SYNOPSIS\n\\fB" + roff(c.CommandPath()) + `\fR` + roff(strings.TrimPrefix(c.UseLine(), c.CommandPath())) + "\n")
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(strings.TrimSpace(long), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if strings.HasPrefix(paragraph, " ") { // laid out already
			paragraph = ".nf\n" + roff(paragraph) + "\n.fi"
		} else {
			paragraph = roff(paragraph)
		}
		b.WriteString(paragraph + "\n")
	}
	writeOptions(&b, "OPTIONS", c.NonInheritedFlags())
	writeOptions(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n" + roff(strings.Trim(c.Example, "\n")) + "\n.fi\n")
	}
	writeRelated(&b, c)
	return b.String()
}

// writeOptions writes a section of a manual page with the visible flags. A default that is
// empty, false or 0 is not shown.
func writeOptions(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	b.WriteString(".SH " + title + "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			b.WriteString(`\fB` + roff("-"+f.Shorthand) + `\fR, `)
		}
		b.WriteString(`\fB` + roff("--"+f.Name) + `\fR`)
		if value != "" {
			b.WriteString(` \fI` + roff(value) + `\fR`)
		}
		switch f.DefValue {
		case "", "[]", "false", "0", "0s":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString("\n" + roff(usage) + "\n")
	})
}

// writeRelated writes the names of the pages directly above and below that of a command.
func writeRelated(b *strings.Builder, c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, PageName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, PageName(sub))
		}
	}
	if len(pages) == 0 {
		return
	}
	for i, p := range pages {
		pages[i] = `\fB` + roff(p) + `\fR(1)`
	}
	b.WriteString(".SH SEE ALSO\n" + strings.Join(pages, ",\n") + "\n")
}

// roff escapes text so that troff prints it unchanged and does not take a line for a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return plain(strings.Join(lines, "\n"))
}

// plain replaces characters outside of ASCII by their escapes, since programs that format
// manual pages may assume any encoding.
func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\[u%04X]`, r)
	}
	return b.String()
}
