package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"

	"github.com/memscribe/memscribe/sink/memdb/access"
)

func (a *app) newMemDBToken() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Say who may do what in a database of memories",
		Long: `A token is for namespaces, and for rights in them: read; write, of what is
external; internal, to say of what is written that it is internal, and so trusted;
forget; admin, which is all of these and the namespaces themselves. Once a token was
made, every call of the server needs one.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal
  memscribe memdb token list
  memscribe memdb token revoke capture`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(a.newTokenCreate(), a.newTokenList(), a.newTokenRevoke())
	return cmd
}

func (a *app) openTokens(ctx context.Context, state string) (*access.List, error) {
	return access.Open(ctx, state, access.Options{Now: a.Now, Random: rand.Reader})
}

// withTokens does something with the tokens of a database.
func (a *app) withTokens(ctx context.Context, p memdbPlace, do func(*access.List) error) error {
	_, state, err := p.resolve(a)
	if err != nil {
		return err
	}
	tokens, err := a.openTokens(ctx, state)
	if err != nil {
		return err
	}
	return errors.Join(do(tokens), tokens.Close())
}

func (a *app) newTokenCreate() *cobra.Command {
	var (
		p                  memdbPlace
		namespaces, rights []string
		expires            time.Duration
	)
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token and print it, once",
		Long: `Create prints the new token, and keeps only a hash of it. The name stands in the
logs for what is done with the token.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal > token
  memscribe memdb token create reviewer --namespace team,other --right read --expires 720h`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			granted, err := access.ParseRights(rights)
			if err != nil {
				return cli.Usage(err)
			}
			if expires < 0 {
				return cli.Usagef("--expires is a time from now, as 720h")
			}
			var until time.Time
			if expires > 0 {
				until = a.Now().Add(expires)
			}
			return a.withTokens(cmd.Context(), p, func(tokens *access.List) error {
				token, err := tokens.Create(cmd.Context(), access.Grant{Name: args[0], Namespaces: namespaces, Rights: granted}, until)
				if err != nil {
					return err
				}
				_, err = a.Stdout.Data().Write([]byte(token + "\n")) // the one place where it is shown
				return err
			})
		},
	}
	p.addFlags(cmd)
	cmd.Flags().StringSliceVar(&namespaces, "namespace", nil, "namespace that the token is for (can be repeated; * is all)")
	cmd.Flags().StringSliceVar(&rights, "right", nil, "right that it has there: read, write, internal, forget or admin (can be repeated)")
	cmd.Flags().DurationVar(&expires, "expires", 0, "how long it holds, as 720h (default: until it is revoked)")
	return cmd
}

func (a *app) newTokenList() *cobra.Command {
	var (
		p      memdbPlace
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which tokens there are, and what they are for",
		Long: `List shows every token that was ever made, by name. The tokens themselves are not
kept. With --json one object a token: name, namespaces, rights, created, and
expires and revoked where they are set.`,
		Example: `  memscribe memdb token list
  memscribe memdb token list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTokens(cmd.Context(), p, func(tokens *access.List) error {
				all, err := tokens.Tokens(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.writeTokens(all)
				}
				return a.printTokens(all)
			})
		},
	}
	p.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a token")
	return cmd
}

// writeTokens prints tokens for programs.
func (a *app) writeTokens(all []access.Token) error {
	e := json.NewEncoder(a.Stdout.Text())
	for i := range all {
		t := &all[i]
		if err := e.Encode(struct {
			Name       string         `json:"name"`
			Namespaces []string       `json:"namespaces"`
			Rights     []access.Right `json:"rights"`
			Created    time.Time      `json:"created"`
			Expires    time.Time      `json:"expires,omitzero"`
			Revoked    time.Time      `json:"revoked,omitzero"`
		}{t.Name, t.Namespaces, t.Rights, t.Created, t.Expires, t.Revoked}); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printTokens(all []access.Token) error {
	out := tabwriter.NewWriter(a.Stdout.Text(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NAME\tNAMESPACES\tRIGHTS\tCREATED\tSTATE")
	for i := range all {
		t := &all[i]
		words := make([]string, len(t.Rights))
		for k, r := range t.Rights {
			words[k] = string(r)
		}
		state := "good"
		switch {
		case !t.Revoked.IsZero():
			state = "revoked " + t.Revoked.Format(time.RFC3339)
		case !t.Expires.IsZero() && !a.Now().Before(t.Expires):
			state = "expired " + t.Expires.Format(time.RFC3339)
		case !t.Expires.IsZero():
			state = "good until " + t.Expires.Format(time.RFC3339)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", t.Name, strings.Join(t.Namespaces, ","), strings.Join(words, ","), t.Created.Format(time.RFC3339), state)
	}
	return out.Flush()
}

func (a *app) newTokenRevoke() *cobra.Command {
	var p memdbPlace
	cmd := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "End a token, at once",
		Long:    `Revoke ends a token; a server that runs refuses the next call with it. Its name is not used again.`,
		Example: `  memscribe memdb token revoke capture`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withTokens(cmd.Context(), p, func(tokens *access.List) error { return tokens.Revoke(cmd.Context(), args[0]) })
		},
	}
	p.addFlags(cmd)
	return cmd
}
