package redact_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

func ExampleEngine_Scrub() {
	engine, err := redact.New(redact.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte(`DB_PASSWORD=\u0022kT9#vLq2Zw\u0022 ok`)
	clean, cuts, err := engine.Scrub(core.TextField, text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", clean)
	for _, c := range cuts {
		fmt.Printf("%d bytes at %d became %d\n", c.Len, c.At, c.With)
	}
	// Output:
	// DB_PASSWORD=\u0022[REDACTED:password]\u0022 ok
	// 10 bytes at 18 became 19
}
