package patch_test

import (
	"fmt"

	"github.com/memscribe/memscribe/internal/verify/patch"
)

func Example() {
	files, err := patch.Parse("--- a/greeting\n+++ b/greeting\n@@ -1 +1 @@\n-hello\n+good day\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := files[0].Apply("hello\n")
	fmt.Printf("%q %v\n", after, err)
	_, err = files[0].Apply("bye\n")
	fmt.Println(err)
	// Output:
	// "good day\n" <nil>
	// apply hunk at line 1: want "hello\n", have "bye\n"
}
