package archive_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"

	"github.com/memscribe/memscribe/io/archive"
)

func ExampleFile() {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
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
	for e, err := range archive.File("backup.tar", &packed, archive.Standard()) {
		fmt.Println(e.Path, e.Size, err)
	}
	// Output:
	// backup.tar!/b.jsonl 2 <nil>
	// backup.tar!/a.jsonl 2 <nil>
}
