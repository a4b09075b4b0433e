package search_test

import (
	"fmt"

	"github.com/memscribe/memscribe/internal/search"
)

func Example() {
	q := search.Parse(`redis "no cache" -test file:orders.js`)
	fmt.Println(q.Terms[0].Text, q.Terms[1].Text, q.Terms[1].Phrase, q.Without[0].Text, q.Filters)
	const text = "There is no cache in front of the orders: redis only keeps sessions."
	scores := q.Rank([]search.Text{{Words: text}, {Words: "no cache, but redis is there"}})
	fmt.Println(search.Around(text, scores[0].Hits, 200).Marked("[", "]"))
	fmt.Println(search.Words("getUserName get_user_name"))
	// Output:
	// redis no cache true test map[file:orders.js]
	// There is [no cache] in front of the orders: [redis] only keeps sessions.
	// [get user name get user name]
}
