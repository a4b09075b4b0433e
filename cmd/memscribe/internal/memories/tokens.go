package memories

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/access"
)

// openTokens opens the list of tokens in the state folder.
func openTokens(ctx context.Context, a *cli.App, state string) (*access.List, error) {
	return access.Open(ctx, state, access.Options{Now: a.Now, Random: rand.Reader})
}

// withTokens does something with the tokens of a database.
func withTokens(ctx context.Context, a *cli.App, p target.MemoryPlace, do func(*access.List) error) error {
	_, state, err := p.Resolve(a.Machine)
	if err != nil {
		return err
	}
	tokens, err := openTokens(ctx, a, state)
	if err != nil {
		return err
	}
	return errors.Join(do(tokens), tokens.Close())
}

// TokenOptions say what a new token is for.
type TokenOptions struct {
	target.MemoryPlace

	Name       string
	Namespaces []string
	Rights     []string
	Expires    time.Duration // from now on; 0 is never
}

// CreateToken makes a token and prints it: it is shown this once.
func CreateToken(ctx context.Context, a *cli.App, o TokenOptions) error {
	granted, err := access.ParseRights(o.Rights)
	if err != nil {
		return usage.Mark(err)
	}
	if o.Expires < 0 {
		return usage.Errorf("--expires is a time from now, as 720h")
	}
	var until time.Time
	if o.Expires > 0 {
		until = a.Now().Add(o.Expires)
	}
	return withTokens(ctx, a, o.MemoryPlace, func(tokens *access.List) error {
		token, err := tokens.Create(ctx, access.Grant{Name: o.Name, Namespaces: o.Namespaces, Rights: granted}, until)
		if err != nil {
			return err
		}
		noteToken(ctx, a, "token.create", o.Name, slog.Any("namespaces", o.Namespaces), slog.Any("rights", granted))
		_, err = a.Stdout.Data().Write([]byte(token + "\n"))
		return err
	})
}

// RevokeToken ends a token, at once.
func RevokeToken(ctx context.Context, a *cli.App, p target.MemoryPlace, name string) error {
	return withTokens(ctx, a, p, func(tokens *access.List) error {
		err := tokens.Revoke(ctx, name)
		if err == nil {
			noteToken(ctx, a, "token.revoke", name)
		}
		return err
	})
}

// noteToken writes the line of the audit log that a change of who may do what leaves: the
// token's name, and never the token.
func noteToken(ctx context.Context, a *cli.App, action, name string, more ...slog.Attr) {
	a.Logger().LogAttrs(ctx, slog.LevelInfo, "audit", append([]slog.Attr{slog.String("token", "(this machine)"), slog.String("action", action), slog.String("name", name)}, more...)...)
}

// ListTokens shows every token that was ever made.
func ListTokens(ctx context.Context, a *cli.App, p target.MemoryPlace, asJSON bool) error {
	return withTokens(ctx, a, p, func(tokens *access.List) error {
		all, err := tokens.Tokens(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return writeTokens(a.Stdout, all)
		}
		return printTokens(a.Stdout, all, a.Now())
	})
}

// writeTokens prints tokens for programs.
func writeTokens(out *console.Printer, all []access.Token) error {
	e := json.NewEncoder(out.Text())
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

// printTokens prints tokens as a table, without their secrets, which are not stored.
func printTokens(to *console.Printer, all []access.Token, now time.Time) error {
	out := tabwriter.NewWriter(to.Text(), 0, 0, 2, ' ', 0)
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
		case !t.Expires.IsZero() && !now.Before(t.Expires):
			state = "expired " + t.Expires.Format(time.RFC3339)
		case !t.Expires.IsZero():
			state = "good until " + t.Expires.Format(time.RFC3339)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", t.Name, strings.Join(t.Namespaces, ","), strings.Join(words, ","), t.Created.Format(time.RFC3339), state)
	}
	return out.Flush()
}
