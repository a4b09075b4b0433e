package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/access"
)

// openTokens opens the list of tokens in the state folder.
func openTokens(ctx context.Context, m host.Machine, state string) (*access.List, error) {
	return access.Open(ctx, state, access.Options{Now: m.Now, Random: rand.Reader})
}

// withTokens calls do with the tokens of a database.
func withTokens(ctx context.Context, m host.Machine, p target.MemoryPlace, do func(*access.List) error) error {
	_, state, err := p.Resolve(m)
	if err != nil {
		return err
	}
	tokens, err := openTokens(ctx, m, state)
	if err != nil {
		return err
	}
	return errors.Join(do(tokens), tokens.Close())
}

// TokenOptions say what a new token grants.
type TokenOptions struct {
	target.MemoryPlace

	Name       string
	Namespaces []string
	Rights     []string
	Expires    time.Duration // from now on; 0 is never
}

// CreateToken creates a token and returns it. Only its hash is stored, so it cannot be
// shown again.
func CreateToken(ctx context.Context, s *setup.Setup, o TokenOptions) (token string, err error) {
	granted, err := access.ParseRights(o.Rights)
	if err != nil {
		return "", usage.Mark(err)
	}
	if o.Expires < 0 {
		return "", usage.Errorf("--expires is a time from now, as 720h")
	}
	var until time.Time
	if o.Expires > 0 {
		until = s.Now().Add(o.Expires)
	}
	err = withTokens(ctx, s.Machine, o.MemoryPlace, func(tokens *access.List) error {
		token, err = tokens.Create(ctx, access.Grant{Name: o.Name, Namespaces: o.Namespaces, Rights: granted}, until)
		if err == nil {
			auditToken(ctx, s, "token.create", o.Name, slog.Any("namespaces", o.Namespaces), slog.Any("rights", granted))
		}
		return err
	})
	return token, err
}

// RevokeToken ends a token. A running server refuses the next call that uses it.
func RevokeToken(ctx context.Context, s *setup.Setup, p target.MemoryPlace, name string) error {
	return withTokens(ctx, s.Machine, p, func(tokens *access.List) error {
		err := tokens.Revoke(ctx, name)
		if err == nil {
			auditToken(ctx, s, "token.revoke", name)
		}
		return err
	})
}

// auditToken logs a change of tokens in the form of the audit log: the token's name, never
// the token.
func auditToken(ctx context.Context, s *setup.Setup, action, name string, more ...slog.Attr) {
	s.Logger().LogAttrs(ctx, slog.LevelInfo, "audit", append([]slog.Attr{slog.String("token", "(this machine)"), slog.String("action", action), slog.String("name", name)}, more...)...)
}

// Tokens returns every token that was ever created, by name, without their secrets.
func Tokens(ctx context.Context, m host.Machine, p target.MemoryPlace) (all []access.Token, err error) {
	err = withTokens(ctx, m, p, func(tokens *access.List) error {
		all, err = tokens.Tokens(ctx)
		return err
	})
	return all, err
}
