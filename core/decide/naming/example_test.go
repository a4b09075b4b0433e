package naming_test

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/decide/naming"
)

func ExampleForbidding_Signs() {
	f := naming.NewForbidding()
	for _, sentence := range []string{"Never log the token.", "It does not start.", "Add a test."} {
		found := f.Signs(sentence, true, func(parts ...string) { fmt.Println(" ", strings.Join(parts, "")) })
		fmt.Println(sentence, found)
	}
	// Output:
	//   ban in en
	//   ban strictly first
	//   ban to act
	//   ban strictly to act
	//   ban strictly
	//   ban strictly in en
	//   ban words 0
	// Never log the token. true
	// It does not start. false
	// Add a test. false
}
