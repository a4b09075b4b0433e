// Package fulltext prepares texts for the word indexes of a database of nodes: which text
// of a node is searched, characters of scripts without spaces set apart, the parts of
// names like getUserName, and the words by which a search is narrowed to a kind, a tool or
// a project.
package fulltext
