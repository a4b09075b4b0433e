// Package packed reads the texts that are embedded in the program, in either of two forms: as
// they are in the repository, or deflated, as .ci/build puts them into what is released.
//
//	as it is     the text
//	deflated     "\x00deflated\n" and a DEFLATE stream
//
// So a build from a checkout needs no extra step, and a release is smaller.
package packed

import (
	"bytes"
	"compress/flate"
	"fmt"
	"strings"
)

// mark begins a text that is deflated. No text of the repository begins with it.
const mark = "\x00deflated\n"

// Text returns a text as it was before [Pack].
func Text(embedded string) (string, error) {
	deflated, ok := strings.CutPrefix(embedded, mark)
	if !ok {
		return embedded, nil
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(flate.NewReader(strings.NewReader(deflated))); err != nil {
		return "", fmt.Errorf("unpack text: %w", err)
	}
	return b.String(), nil
}

// Pack returns the smaller form of a text. It is the same on every machine.
func Pack(text string) ([]byte, error) {
	b := bytes.NewBufferString(mark)
	w, err := flate.NewWriter(b, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("pack text: %w", err)
	}
	if _, err = w.Write([]byte(text)); err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("pack text: %w", err)
	}
	return b.Bytes(), nil
}
