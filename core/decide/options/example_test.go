package options_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/options"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/prose"
)

func ExampleNamed() {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{
		"Use Postgres instead of MySQL.",
		"Instead of MySQL use Postgres.",
		"Rename the flag from --out to --target.",
		"Do not use lodash, but use es-toolkit.",
		"We must not store passwords.",
		"Either npm or yarn is fine.",
	} {
		turn := prose.Plain(text)
		scan := rules.Scan(turn)
		var found []core.Option
		for i, s := range turn.Sentences {
			found = options.Named(found, &turn, s, scan.Of(i))
		}
		fmt.Print(text)
		for _, o := range found {
			side := "-"
			if o.Chosen {
				side = "+"
			}
			fmt.Printf("  %s%s", side, o.Text)
		}
		fmt.Println()
	}
	// Output:
	// Use Postgres instead of MySQL.  +Postgres  -MySQL
	// Instead of MySQL use Postgres.  +Postgres  -MySQL
	// Rename the flag from --out to --target.  +--target  ---out
	// Do not use lodash, but use es-toolkit.  -lodash  +es-toolkit
	// We must not store passwords.  -passwords
	// Either npm or yarn is fine.  -npm  -yarn
}

func ExampleListed() {
	for _, item := range options.Listed("Which one?\n1. **SQLite**: nothing to install\n2) Postgres - one more server\n| C | a file |\n") {
		fmt.Printf("%s %s\n", item.Label, item.Name)
	}
	// Output:
	// 1 SQLite
	// 2 Postgres
	// C a file
}
