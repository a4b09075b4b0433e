package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/visible"
)

// completeValues has shells complete the values of flags by the name of the flag:
// tools, kinds of sinks and of nodes, forms of logs, and what the database knows: projects,
// sessions, decisions. A flag for which there is a
// completion already keeps it. It walks all commands once, when the root is built.
func (a *app) completeValues(root *cobra.Command) {
	values := map[string][]string{
		"sink": target.KindNames(), "kind": {"conversation", "decision", "episode", "binding"}, "log-format": {"text", "json"},
	}
	known := map[string]cobra.CompletionFunc{"project": a.completeProject, "session": a.completeSession, "node": a.completeDecision}
	for _, a := range adapters.All() {
		for _, flag := range []string{"tool", "as"} {
			values[flag] = append(values[flag], string(a.Tool()))
		}
	}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if list, ok := values[f.Name]; ok {
				// it fails for one that has its own
				_ = c.RegisterFlagCompletionFunc(f.Name, completeList(list))
			}
			if ask := known[f.Name]; ask != nil {
				_ = c.RegisterFlagCompletionFunc(f.Name, ask)
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

// completeSessions completes the ids of sessions, the ones with the latest activity first.
func (a *app) completeSessions(cmd *cobra.Command, args []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeSession(cmd, args, have)
}

// mostCompleted is how many ids are offered at once.
const mostCompleted = 50

// completeSession completes the id of a session behind a flag.
func (a *app) completeSession(cmd *cobra.Command, _ []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.completed(cmd, func(ctx context.Context, r *nodedb.Reader) ([]cobra.Completion, error) {
		ids, err := lists.SessionIDs(ctx, r, lists.Filter{}, have, mostCompleted)
		return ids.Items, err
	})
}

// completeDecision completes the id of a decision, and says what each decides.
func (a *app) completeDecision(cmd *cobra.Command, _ []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const most, width = 20, 60
	return a.completed(cmd, func(ctx context.Context, r *nodedb.Reader) (out []cobra.Completion, err error) {
		ids, err := lists.DecisionIDs(ctx, r, lists.Filter{}, have, most)
		for _, id := range ids.Items {
			n, found, failed := r.Node(ctx, id)
			if failed != nil || !found {
				continue // the id alone completes as well
			}
			title := strings.Join(strings.Fields(n.Title), " ")
			out = append(out, cobra.CompletionWithDesc(id, visible.Line(fulltext.Cut(title, width))))
		}
		return out, err
	})
}

// completeProject completes the name of a project: the last element of its folder, or the
// folder if a part of one is typed.
func (a *app) completeProject(cmd *cobra.Command, _ []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out, directive := a.completed(cmd, func(ctx context.Context, r *nodedb.Reader) ([]cobra.Completion, error) {
		return projectsBeginning(ctx, r, have)
	})
	if len(out) == 0 && directive == cobra.ShellCompDirectiveNoFileComp {
		return nil, cobra.ShellCompDirectiveFilterDirs // a folder names a project, too
	}
	return out, directive
}

// projectsBeginning returns the names of projects that begin so, each once.
func projectsBeginning(ctx context.Context, r *nodedb.Reader, have string) (out []cobra.Completion, err error) {
	all, err := r.ProjectNames(ctx)
	for _, name := range all {
		if !strings.ContainsAny(have, `/\`) {
			name = name[strings.LastIndexAny(name, `/\`)+1:]
		}
		if name != "" && strings.HasPrefix(name, have) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, err
}

// completeSearch completes the filters of a search: behind "kind:" its values.
func (a *app) completeSearch(cmd *cobra.Command, _ []string, have string) ([]cobra.Completion, cobra.ShellCompDirective) {
	name, begin, ok := strings.Cut(have, ":")
	if !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var values []string
	switch name {
	case "kind":
		values = nodedb.FindKinds()
	case "by":
		values = []string{"me", "agent"}
	case "since", "until":
		values = []string{"today", "yesterday", "7d", "30d"}
	case "tool":
		for _, a := range adapters.All() {
			values = append(values, string(a.Tool()))
		}
	case "session":
		values, _ = a.completeSession(cmd, nil, begin)
	case "project":
		values, _ = a.completeProject(cmd, nil, begin)
	}
	var out []cobra.Completion
	for _, v := range values {
		if strings.HasPrefix(v, begin) {
			out = append(out, name+":"+v)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completed returns what a question to the database completes. A shell waits for it, so a
// database that cannot be opened completes nothing and says nothing.
func (a *app) completed(cmd *cobra.Command, ask func(context.Context, *nodedb.Reader) ([]cobra.Completion, error)) ([]cobra.Completion, cobra.ShellCompDirective) {
	name := ""
	if f := cmd.Flags().Lookup("db"); f != nil {
		name = f.Value.String()
	}
	name, err := flags.Database(a.App, name)
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
	out, err := ask(ctx, r)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
