package prices_test

import (
	"math"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/prices"
)

func builtin(t *testing.T) *prices.Table {
	t.Helper()
	table, err := prices.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestFind has a model found under the names that tools give it, and no other.
func TestFind(t *testing.T) {
	table := builtin(t)
	if table.Date != "2026-09-22" {
		t.Errorf("the date is %q", table.Date)
	}
	for model, input := range map[string]float64{
		"claude-sonnet-4-5":                        3,
		"claude-sonnet-4-5-20250929":               3,
		"Claude-Sonnet-4.5":                        3,
		"openrouter/anthropic/claude-sonnet-4.6":   3,
		"us.anthropic.claude-opus-4-20250514-v1:0": 15,
		"claude-haiku-4-5@20251001":                1,
		"claude-sonnet-4-5[1m]":                    3,
		"gpt-5.1":                                  1.25,
		"claude-3-5-haiku-latest":                  0.8,
	} {
		if p, ok := table.Find(model); !ok || p.Base.Input != input || p.Base.CacheWrite1h != 2*input {
			t.Errorf("%s costs %+v, %t; want %g", model, p.Base, ok, input)
		}
	}
	for _, model := range []string{"", "claude", "scripted", "<synthetic>", "gpt-5-codex-x", "-20250101", "/", "a/"} {
		if p, ok := table.Find(model); ok {
			t.Errorf("%q costs %+v", model, p)
		}
	}
}

func TestCost(t *testing.T) {
	p, _ := builtin(t).Find("claude-sonnet-4-5")
	all := prices.Tokens[int64]{Input: 300_000, Output: 1_000_000, CacheRead: 2_000_000, CacheWrite: 100_000, CacheWrite1h: 10_000}
	over := prices.Tokens[int64]{Input: 100_000}
	// 0.2·3 + 0.1·6 + 1·15 + 2·0.3 + 0.1·3.75 + 0.01·6
	if got, want := p.Cost(all, over, false), 17.235; math.Abs(got-want) > 1e-9 {
		t.Errorf("costs %v, want %v", got, want)
	}
	fast, _ := builtin(t).Find("claude-opus-4-6")
	one := prices.Tokens[int64]{Output: 1_000_000}
	if got := fast.Cost(one, prices.Tokens[int64]{}, true); got != 150 {
		t.Errorf("costs %v, want 150", got)
	}
}

// TestRead has a user's file change what there is, and says what is wrong in one.
func TestRead(t *testing.T) {
	table := builtin(t)
	if err := table.Read("mine", strings.NewReader("# mine\ndate 2026-11-01\n\nMine 1 2 0.5 -\nclaude-sonnet-4-5 0 0 0 0\n")); err != nil {
		t.Fatal(err)
	}
	if p, ok := table.Find("mine"); !ok || p.Base.Output != 2 || p.Base.CacheWrite != 0 || p.Over.Output != 2 || table.Date != "2026-11-01" {
		t.Errorf("%+v, %t, %s", p, ok, table.Date)
	}
	if p, _ := table.Find("claude-sonnet-4-5"); p.Base.Input != 0 {
		t.Errorf("%+v", p)
	}
	for text, want := range map[string]string{
		"m 1 2 3":       "mine:1: m: has 3 fields, of 4 to 9",
		"\nm 1 2 x 4":   "mine:2: m: x is no price",
		"m 1 2 -3 4":    "-3 is no price",
		"m 1 2 NaN 4":   "NaN is no price",
		"date tomorrow": "mine:1: a date is written as 2026-01-31",
	} {
		if err := table.Read("mine", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
