package unpack_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"

	"github.com/memscribe/memscribe/io/unpack"
)

func ExampleFile() {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, name := range []string{"b.jsonl", "a.jsonl"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: 2, Mode: 0o600}); err != nil {
			fmt.Println(err)
		}
		if _, err := io.WriteString(w, "{}"); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	for e, err := range unpack.File("backup.tar", &archive, unpack.Standard()) {
		fmt.Println(e.Path, e.Size, err)
	}
	// Output:
	// backup.tar!/b.jsonl 2 <nil>
	// backup.tar!/a.jsonl 2 <nil>
}
