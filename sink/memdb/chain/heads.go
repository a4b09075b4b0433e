package chain

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Heads are the heads of several chains, by namespace.
type Heads map[string]Head

// manyOrigin is the first line of a checkpoint of several chains.
const manyOrigin = origin + "/heads"

// Head returns one head for all: the number of all entries, and a hash over all heads. Without an
// entry it is the zero Head.
func (h Heads) Head() Head {
	all := Head{Hash: Sum([]byte(h.text()))}
	for _, one := range h {
		all.Length += one.Length
	}
	if all.Length == 0 {
		return Head{}
	}
	return all
}

// text returns a line for each chain, sorted by name.
func (h Heads) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if sum, err := hex.DecodeString(h[name].hash()); err == nil && h[name].Length > 0 {
			b.WriteString(strconv.Quote(name) + " " + strconv.FormatInt(h[name].Length, 10) + " " + base64.StdEncoding.EncodeToString(sum) + "\n")
		}
	}
	return b.String()
}

// SaveHeads is [Signer.Save] for several chains. One note has them all, so that a whole chain
// cannot be removed unnoticed.
func (s *Signer) SaveHeads(dir string, h Heads) error {
	signed, err := note.Sign(&note.Note{Text: manyOrigin + "\n" + h.text()}, s.signer)
	if err == nil {
		err = replaceFile(checkpointFile(dir), string(signed))
	}
	if err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	return nil
}

// LoadHeads reads the checkpoint of several chains in the folder of the key; ok is false if there
// is none. The checkpoint of a new key has no chain.
func (v *Verifier) LoadHeads(dir string) (h Heads, ok bool, err error) {
	text, err := os.ReadFile(checkpointFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read checkpoint: %w", err)
	}
	h, err = v.ReadHeads(string(text))
	return h, err == nil, err
}

// ReadHeads returns the heads in a checkpoint of several chains.
func (v *Verifier) ReadHeads(checkpoint string) (Heads, error) {
	n, err := note.Open([]byte(checkpoint), note.VerifierList(v.verifier))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForged, err)
	}
	first, rest, _ := strings.Cut(n.Text, "\n")
	if one, err := v.Read(checkpoint); err == nil && one.Length == 0 {
		return Heads{}, nil
	}
	if first != manyOrigin {
		return nil, fmt.Errorf("%w: it is of something else", ErrForged)
	}
	all := Heads{}
	for line := range strings.Lines(rest) {
		name, head, err := readHead(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrForged, err)
		}
		all[name] = head
	}
	return all, nil
}

// readHead parses a line of a checkpoint of several chains: a quoted namespace, a length and a
// hash.
func readHead(line string) (string, Head, error) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", Head{}, fmt.Errorf("read head: %w", err)
	}
	name, err := strconv.Unquote(quoted)
	fields := strings.Fields(line[len(quoted):])
	if err != nil || len(fields) != 2 {
		return "", Head{}, errors.New("read head: it is none")
	}
	length, err := strconv.ParseInt(fields[0], 10, 64)
	sum, err2 := base64.StdEncoding.DecodeString(fields[1])
	if err = errors.Join(err, err2); err != nil {
		return "", Head{}, fmt.Errorf("read head: %w", err)
	}
	return name, Head{length, hex.EncodeToString(sum)}, nil
}
