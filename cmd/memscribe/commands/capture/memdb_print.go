package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/memories"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// verifyMemories verifies a memory database and prints the result. For a bad database it
// returns [report.ErrFound], so that the exit code is 3.
func verifyMemories(ctx context.Context, a *cli.App, o memories.VerifyOptions, asJSON bool) error {
	verified, err := memories.Verify(ctx, a.Machine, o)
	if err != nil {
		return err
	}
	if err = printVerdict(a.Stdout, &verified, asJSON); err != nil || verified.OK {
		return err
	}
	return report.ErrFound
}

// printVerdict prints the result of a verification: the length and the head of the chain, or
// the first bad entry with the reason.
//
//	good: 1204 entries, 977 memories; a checkpoint vouches for the first 1200
//	head …
//
//	bad: REASON: DETAIL
//	entry 17
//	id …
//
// Without a checkpoint the text warns that a missing tail would not be noticed.
func printVerdict(out *console.Printer, r *api.VerifyReport, asJSON bool) error {
	if asJSON {
		text, err := api.Append(nil, r)
		if err != nil {
			return err
		}
		_, err = out.Text().Write(append(text, '\n'))
		return err
	}
	signed := "no checkpoint vouches for it: a tail that was cut off would not show"
	if r.Checkpoint > 0 {
		signed = fmt.Sprintf("a checkpoint vouches for the first %d", r.Checkpoint)
	}
	if r.Rekeyed > 0 {
		signed += fmt.Sprintf("; since entry %d another key signs", r.Rekeyed)
	}
	if r.OK {
		_, err := out.Printf("good: %d entries, %d memories; %s\nhead %s\n", r.Length, r.Memories, signed, r.Head)
		return err
	}
	f := r.Fault
	_, err := out.Printf("bad: %s: %s\n", f.Reason, f.Detail)
	for _, part := range []struct{ name, value string }{{"entry", fmt.Sprint(f.Seq)}, {"id", f.EntryID}, {"memory", f.MemoryID}} {
		if part.value != "" && part.value != "0" && err == nil {
			_, err = out.Printf("%s %s\n", part.name, part.value)
		}
	}
	return err
}

// copyMemories copies a database. It prints how much was copied, and the head of each
// namespace, which is the same in both databases.
func copyMemories(ctx context.Context, a *cli.App, o memories.CopyOptions) error {
	r, err := memories.Copy(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	if _, err = a.Stdout.Printf("copied %d entries into %s, which had %d of them\n", r.Copied, memories.Shown(o.To), r.Before); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Heads)) {
		h := r.Heads[name]
		if _, err = a.Stdout.Printf("%s: %d entries, head %s\n", name, h.Length, h); err != nil {
			return err
		}
	}
	return nil
}

// rekeyMemories replaces the key of a database. It prints what the new key accepts and
// what was kept of the old one.
func rekeyMemories(ctx context.Context, a *cli.App, p target.MemoryPlace) error {
	r, err := memories.Rekey(ctx, &a.Setup, p)
	if err != nil {
		return err
	}
	_, err = a.Stdout.Printf("%s has a new key; %s says so\n", r.Database, r.Where)
	if err == nil && r.Signed > 0 {
		_, err = a.Stdout.Printf("the old key had signed %d entries; %d were there\n", r.Signed, r.Found)
	}
	for _, name := range r.Kept {
		if err == nil {
			_, err = a.Stdout.Printf("kept %s\n", name)
		}
	}
	return err
}

// createToken prints a new token.
func createToken(ctx context.Context, a *cli.App, o memories.TokenOptions) error {
	token, err := memories.CreateToken(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	_, err = a.Stdout.Data().Write([]byte(token + "\n"))
	return err
}

// listTokens prints all tokens, as a table or as an object for each.
func listTokens(ctx context.Context, a *cli.App, p target.MemoryPlace, asJSON bool) error {
	all, err := memories.Tokens(ctx, a.Machine, p)
	switch {
	case err != nil:
		return err
	case asJSON:
		return writeTokens(a.Stdout, all)
	}
	return printTokens(a.Stdout, all, a.Now())
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

// printTokens prints tokens as a table. State is good, "good until" a time, expired or revoked;
// now decides between the first three.
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
