package jsondoc_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core/jsondoc"
)

func Example() {
	// Two records that ended up on one line.
	line := []byte(`{"type":"user", "message":{"content":[{"type":"text","text":"caf\u00e9 \"au lait\""}]}}` +
		`{"type":"summary","leaf":"a","leaf":"b"}`)

	var doc jsondoc.Doc // kept for all records of a stream
	for len(line) > 0 {
		n, err := doc.Parse(line)
		if err != nil {
			fmt.Println(err)
			return
		}
		line = line[n:]

		record := doc.Root()
		switch {
		case record.Get("type").Is("user"):
			for part := range record.Path("message", "content").Elems() {
				fmt.Println("user:", part.Get("text").Str())
			}
		default:
			fmt.Println("other:", string(record.Raw()), "leaf", record.Get("leaf").Str())
		}
	}
	// Output:
	// user: café "au lait"
	// other: {"type":"summary","leaf":"a","leaf":"b"} leaf b
}

func ExampleDoc_Parse_error() {
	var doc jsondoc.Doc
	for _, line := range []string{`{"a":01}`, `{"a":`} {
		_, err := doc.Parse([]byte(line))
		fmt.Println(err)
	}
	// Output:
	// invalid JSON at byte 6: expected a comma or the end of the object
	// invalid JSON at byte 5: unexpected end of input
}

func ExampleValue_AppendCompact() {
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(`{ "path" : "C:\/tmp\u002fx", "size" : 1.50e3 }`)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(doc.Root().AppendCompact(nil)))
	// Output: {"path":"C:/tmp/x","size":1.50e3}
}
