package record

// The reasons for which something beside the chain is bad.
const (
	Mismatch     = "record_mismatch" // what is stored is not what was entered
	Missing      = "record_missing"  // what was entered is not stored
	NotForgotten = "not_forgotten"   // what was forgotten is still there
	NoEntry      = "no_entry"        // what is stored was never entered
	// what is stored cannot be found, or found as what it is not
	IndexMismatch     = "index_mismatch"
	CheckpointMissing = "checkpoint_missing" // there is a key, and no checkpoint
	CheckpointForged  = "checkpoint_forged"  // the checkpoint is not signed by the key
	KeyMismatch       = "key_mismatch"       // the key is not the one that the chain says signs it
	// tables, indexes, triggers or views are not those of the program
	SchemaMismatch = "schema_mismatch"
	Damaged        = "damaged" // the file itself
)
