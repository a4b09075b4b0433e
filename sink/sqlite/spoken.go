package sqlite

// The index for memscribe search has the words of messages, decisions and edits.
const (
	insertSpoken = "INSERT INTO words (rowid, text, scope) VALUES (?, ?, ?)"
	deleteSpoken = "DELETE FROM words WHERE rowid = ?"
)
