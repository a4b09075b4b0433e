// Package fulltext prepares texts for full-text search: which text of a node is
// indexed, separated CJK characters, the parts of names such as getUserName, and
// terms that restrict a search to a kind, tool or project.
package fulltext
