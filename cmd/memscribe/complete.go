package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/target"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// completeValues has shells complete the values of flags by the name of the flag:
// tools, kinds of sinks and of nodes, forms of logs. A flag for which there is a
// completion already keeps it. It walks all commands once, when the root is built.
func completeValues(root *cobra.Command) {
	values := map[string][]string{
		"sink": target.KindNames(), "kind": {"conversation", "decision", "episode", "binding"}, "log-format": {"text", "json"},
	}
	for _, a := range adapters.All() {
		for _, flag := range []string{"tool", "as"} {
			values[flag] = append(values[flag], string(a.Tool()))
		}
	}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if list, ok := values[f.Name]; ok {
				_ = c.RegisterFlagCompletionFunc(f.Name, completeList(list)) // it fails for one that has its own
			}
		})
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// completeList completes a list whose values are separated by commas: for --tool,
// "claude_code,co" offers claude_code,codex and claude_code,copilot.
func completeList(list []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := have[:strings.LastIndexByte(have, ',')+1]
		var out []cobra.Completion
		for _, v := range list {
			if strings.HasPrefix(v, have[len(before):]) {
				out = append(out, before+v)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSessions completes the ids of the sessions that the newest 500 decisions
// belong to. A shell waits for it, so a database that cannot be opened completes
// nothing and says nothing.
func (a *app) completeSessions(cmd *cobra.Command, args []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const newest = 500
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	name, err := cmd.Flags().GetString("db")
	if err == nil {
		name, err = flags.Database(a.App, name)
	}
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	r, err := nodedb.Open(ctx, name)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer r.Close()
	answer, err := r.Decisions(ctx, nodedb.Filter{}, nodedb.Page{Limit: newest})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []cobra.Completion
	seen := map[string]bool{}
	for i := range answer.Nodes {
		if s := answer.Nodes[i].Session; strings.HasPrefix(s, have) && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
