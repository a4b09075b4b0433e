package lexicon

import "github.com/memscribe/memscribe/core/gate"

// Standard returns the tables that Memscribe comes with: English, and the core
// markers, or the words of assent, of other languages.
func Standard() []gate.Table {
	tables := []gate.Table{English(), Chinese(), Japanese(), German(), French(), Spanish(), Portuguese(), Russian(), Korean(), Italian()}
	addCues(tables)
	return tables
}
