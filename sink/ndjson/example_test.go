package ndjson_test

import (
	"context"
	"fmt"
	"os"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

func ExampleSorted() {
	out := ndjson.NewSorted(os.Stdout)
	ctx := context.Background()
	for _, batch := range [][]sink.Line{
		{{ID: "b", Seq: 2, JSON: []byte(`{"id":"b"}`)}, {ID: "a", Seq: 1, JSON: []byte(`{"id":"a"}`)}},
		{{ID: "a", Seq: 1, JSON: []byte(`{"id":"a","superseded_by":"c"}`)}},
	} {
		if err := out.Apply(ctx, batch); err != nil {
			fmt.Println(err)
		}
	}
	if err := out.Flush(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id":"a","superseded_by":"c"}
	// {"id":"b"}
}
