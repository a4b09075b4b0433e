package flags

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/usage"
)

// NameWhatIsNear makes the root and all commands below it suggest similar names when a command
// or a flag does not exist:
//
//	unknown command "quary" for "memscribe"; did you mean query?
//	unknown command "bans" for "memscribe"; did you mean memscribe query bans?
//	--limit "many": it is a whole number
//
// A command that only has subcommands prints its help when it is called without one.
func NameWhatIsNear(root *cobra.Command) {
	root.DisableSuggestions = true // they stand on lines of their own
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
			if args := c.Flags().Args(); !c.HasParent() && len(args) > 0 { // a command of that name would have the flag
				return c.ValidateArgs(args)
			}
			return usage.Errorf("%w%s", err, didYouMean(e.GetSpecifiedName(), flagNames(c), "--"))
		}
		if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			if form := formOf(e.GetFlag()); form != "" {
				return usage.Errorf("--%s %q: it is %s", e.GetFlag().Name, e.GetValue(), form)
			}
		}
		return err
	})
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if c.HasSubCommands() {
			checkNames(c)
		} else if c.Args != nil {
			checkCount(c)
		}
	}
	visit(root)
	root.SetHelpCommand(newHelp(root))
}

// newHelp returns the command help. Unlike that of cobra it fails for a command that does not
// exist, with exit code 2.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: `  memscribe help query decisions`,
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 && c.HasSubCommands() {
				err = c.ValidateArgs(rest)
			}
			if err != nil {
				return usage.Mark(err)
			}
			return c.Help()
		},
	}
}

// checkNames makes a command with subcommands refuse an unknown name. It lists all names if
// none is similar and there are at most 12.
func checkNames(c *cobra.Command) {
	if !c.Runnable() {
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		const few = 12
		meant := didYouMean(args[0], names, "")
		if below := commandsBelow(c, args[0]); len(below) > 0 {
			meant = "; did you mean " + strings.Join(below, " or ") + "?"
		}
		if meant == "" && len(names) <= few {
			meant = "; known are " + strings.Join(names, ", ")
		}
		return usage.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), meant)
	}
}

// commandsBelow returns the paths of the commands with a name two levels below c. For "bans",
// the root finds "memscribe query bans".
func commandsBelow(c *cobra.Command, name string) (paths []string) {
	for _, sub := range c.Commands() {
		for _, below := range sub.Commands() {
			if below.Name() == name && sub.IsAvailableCommand() {
				paths = append(paths, below.CommandPath())
			}
		}
	}
	return paths
}

// formOf returns in words the form of a flag's value, such as "a whole number"; "" if the type
// does not determine it.
func formOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 30s, 15m or 36h"
	}
	return ""
}

// checkCount makes a command with a wrong number of arguments say how many it takes. Errors of
// the command's own about its arguments stay unchanged.
func checkCount(c *cobra.Command) {
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err == nil {
			return nil
		}
		counted := func(says string) bool { return strings.HasPrefix(err.Error(), says) }
		if !slices.ContainsFunc([]string{"accepts ", "requires at least ", "unknown command "}, counted) {
			return err
		}
		_, takes, _ := strings.Cut(c.Use, " ")
		name := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
		switch {
		case takes == "":
			return usage.Errorf("%s: %q is too much: it takes flags only", name, args[0])
		case len(args) == 0:
			return usage.Errorf("%s: an argument is missing: it takes %s", name, takes)
		}
		return usage.Errorf("%s: it takes %s, and not %d arguments", name, takes, len(args))
	}
}

// didYouMean returns "; did you mean …?" with at most three similar names, each after prefix;
// "" if none is similar or the name has one letter only.
func didYouMean(name string, all []string, prefix string) string {
	const most = 3
	near := search.Near(name, all)
	if len(near) == 0 || len(name) < 2 {
		return ""
	}
	for i := range near {
		near[i] = prefix + near[i]
	}
	return fmt.Sprintf("; did you mean %s?", strings.Join(near[:min(len(near), most)], ", "))
}

// flagNames returns the visible flags of a command, including inherited ones.
func flagNames(c *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	c.Flags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return names
}
