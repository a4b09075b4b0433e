// Package fulltext prepares texts for full-text search: which text of a node is
// indexed, separated CJK characters, the parts of names such as getUserName, and
// terms that restrict a search to a kind, tool or project.
//
//	text       "Use getUserName() for 数据库"
//	indexed    use getusername for 数 据 库 … get user name
//	scope      kinddecision toolcodex in3f2a…
//
// The parts of names are appended at the end of the text, so phrases across words still match.
// Words of the scope have a column of their own; they restrict a search before any row is read.
// [ParseTerms] reads what a person types, and never fails: everything typed is a search.
package fulltext
