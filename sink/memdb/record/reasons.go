package record

// The reasons for which something beside the chain is bad.
const (
	Mismatch          = "record_mismatch"    // what is stored is not what was entered
	Missing           = "record_missing"     // what was entered is not stored
	NotForgotten      = "not_forgotten"      // what was forgotten is still there
	NoEntry           = "no_entry"           // what is stored was never entered
	IndexMismatch     = "index_mismatch"     // what is stored cannot be found, or found as what it is not
	CheckpointMissing = "checkpoint_missing" // there is a key, and no checkpoint
	CheckpointForged  = "checkpoint_forged"  // the checkpoint is not signed by the key
	KeyMismatch       = "key_mismatch"       // the key is not the one that the chain says signs it
	SchemaMismatch    = "schema_mismatch"    // tables, indexes, triggers or views are not those of the program
	Damaged           = "damaged"            // the file itself
)
