package overview

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/prices"
	"github.com/memscribe/memscribe/internal/usage"
)

// Costs say by what tokens are summed up, and what they cost.
type Costs struct {
	By     string
	Prices string // file with prices that replace the built-in ones; "" is none
}

// Usage prints how many tokens were taken, and what they cost as an estimate.
func Usage(c Costs) func(context.Context, *cli.App, *nodedb.Reader, Options) error {
	return func(ctx context.Context, a *cli.App, r *nodedb.Reader, o Options) error {
		by := lists.By(c.By)
		if !slices.Contains(lists.AllBy(), by) {
			return usage.Errorf("--by %s: known are %s", c.By, KnownBy())
		}
		table, err := pricesOf(c.Prices)
		if err != nil {
			return err
		}
		bill, err := lists.Usage(ctx, r, o.Filter, by, table, a.Now().Location())
		if err != nil {
			return err
		}
		left := 0
		if o.Page.Limit > 0 {
			left = max(0, len(bill.Items)-o.Page.Limit)
		}
		bill.Items = bill.Items[:len(bill.Items)-left]
		if o.JSON {
			err = a.Stdout.JSON(bill)
		} else {
			err = writeBill(ctx, a, r, &bill)
		}
		switch {
		case err != nil:
			return fmt.Errorf("print usage: %w", err)
		case len(bill.Items) == 0:
			return nothing(a, o.Filter, func(f lists.Filter) (bool, error) {
				wider, err := lists.Usage(ctx, r, f, by, table, a.Now().Location())
				return len(wider.Items) > 0, err
			})
		}
		remark(a, &bill, left)
		return nil
	}
}

// KnownBy lists by what tokens can be summed up.
func KnownBy() string {
	var all []string
	for _, b := range lists.AllBy() {
		all = append(all, string(b))
	}
	return strings.Join(all, ", ")
}

// pricesOf reads the prices of the program, and those of a file over them.
func pricesOf(file string) (*prices.Table, error) {
	table, err := prices.Builtin()
	if err != nil || file == "" {
		return table, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, usage.Mark(fmt.Errorf("read prices: %w", err))
	}
	if err = errors.Join(table.Read(file, f), f.Close()); err != nil {
		return nil, usage.Mark(err)
	}
	return table, nil
}

// writeBill prints token usage as a table, one row per group and a total. "+?"
// marks a cost that leaves out models without a known price.
func writeBill(ctx context.Context, a *cli.App, r *nodedb.Reader, b *lists.Bill) error {
	var sessions []string
	if b.By == lists.BySession {
		for i := range b.Items {
			sessions = append(sessions, b.Items[i].Key)
		}
	}
	briefs, err := r.Briefs(ctx, sessions)
	if err != nil {
		return err
	}
	t := NewTable(a, Cut(strings.ToUpper(string(b.By)), 10, 28), Right("INPUT", 6), Right("OUTPUT", 7), Right("THOUGHT", 3), Right("CACHE READ", 5),
		Right("CACHE WRITE", 4), Right("FOR 1H", 1), Right("TOKENS", 8), Right("ABOUT USD", 9), Cut("MODELS", 2, 16))
	row := func(name string, s *lists.Spending) {
		cost := fmt.Sprintf("%.2f", s.Cost)
		if s.Unpriced > 0 {
			cost += "+?"
		}
		t.Row(name, Number(s.Input), Number(s.Output), Number(s.Reasoning), Number(s.CacheRead), Number(s.CacheCreation), Number(s.CacheCreation1h),
			Number(s.Tokens()), cost, strings.Join(s.Models, ", "))
	}
	for i := range b.Items {
		s := &b.Items[i]
		name := s.Key
		switch {
		case name == "":
			name = "unknown"
		case b.By == lists.BySession:
			name = briefs[name] + " " + Base(s.Project)
		}
		row(name, s)
	}
	if len(b.Items) > 1 {
		total := b.Total
		total.Models = nil
		row("all", &total)
	}
	return t.Write()
}

// remark says what figures are worth.
func remark(a *cli.App, b *lists.Bill, left int) {
	if left > 0 {
		a.Stderr.Printf("%d more are in the sum: --limit\n", left)
	}
	a.Stderr.Printf("costs are estimates by the list prices of %s, not what was billed\n", b.Date)
	if b.Total.Unpriced > 0 {
		a.Stderr.Printf("of %s tokens the price is not known: a file of --prices may have it\n", Number(b.Total.Unpriced))
	}
}
