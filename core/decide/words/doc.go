// Package words holds the vocabulary of decisions: the [Group] of an act, the words that are
// never part of a name ([Function]) and the words that precede one ([Article]). All of them are
// written in lower case.
//
//	"please use the cursor API for listOrders"
//
//	please, for    function words: no name contains them
//	use            an act of the group Set
//	the            an article: skipped
//	cursor API     the name that is left
package words
