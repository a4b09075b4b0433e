package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"filippo.io/age"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/sink"
)

// Schema is the version of a file.
const Schema = "memscribe.sync/v1"

// Bounds of a file: what is gathered until it is written, and what is read of one.
const (
	gathered  = 4 << 20
	maxSealed = 64 << 20
	maxOpened = 128 << 20
	// maxNode bounds a node that is sent, so that what is gathered with it can be read even if it
	// cannot be compressed.
	maxNode = maxSealed - 2*gathered
)

// header is the first line of a file. It is inside of what is encrypted: a file that was put
// under another name is not read.
type header struct {
	Schema  string `json:"schema"`
	Machine string `json:"machine"`
	Number  int    `json:"number"`
	// Clock is one more than that of every file that the machine had read or written.
	Clock int64 `json:"clock"`
	Nodes int   `json:"nodes"`
}

// Key is what files are encrypted with: who has it can read and write them.
type Key struct{ identity *age.X25519Identity }

// ReadKey reads a key as age-keygen writes it. One that others may read is refused.
func ReadKey(name string) (*Key, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("read key %s: others may read it (%s): chmod 600 it", name, mode)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		identity, err := age.ParseX25519Identity(line)
		if err != nil {
			// the error of age quotes the line
			return nil, fmt.Errorf("read key %s: it is none that age-keygen makes", name)
		}
		return &Key{identity}, nil
	}
	return nil, fmt.Errorf("read key %s: there is none in it", name)
}

// NewKey makes a key in a new file, which only the user may read.
func NewKey(name string) (err error) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	_, err = fmt.Fprintf(f, "# public key: %s\n%s\n", identity.Recipient(), identity)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	return nil
}

// seal makes a file of some nodes.
func (k *Key) seal(h header, lines []sink.Line) ([]byte, error) {
	var out bytes.Buffer
	sealed, err := age.Encrypt(&out, k.identity.Recipient())
	if err != nil {
		return nil, fmt.Errorf("encrypt nodes: %w", err)
	}
	packed := gzip.NewWriter(sealed)
	h.Schema, h.Nodes = Schema, len(lines)
	err = json.NewEncoder(packed).Encode(h)
	for i := range lines {
		if err == nil {
			_, err = packed.Write(append(bytes.Clone(lines[i].JSON), '\n'))
		}
	}
	if err = errors.Join(err, packed.Close(), sealed.Close()); err != nil {
		return nil, fmt.Errorf("encrypt nodes: %w", err)
	}
	return out.Bytes(), nil
}

// open reads a file. It is the one that its name says, and whole, or it is an error.
//
// Errors name the file: another key, another name, a newer form, a line that is no
// node, fewer nodes than the header says. The key is never part of an error.
func (k *Key) open(name string, data []byte) (h header, lines []sink.Line, err error) {
	machine, number, _ := file(name)
	text, err := k.decrypt(data)
	if err != nil {
		return h, nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	first, text, _ := bytes.Cut(text, []byte("\n"))
	if err = json.Unmarshal(first, &h); err == nil {
		switch {
		case h.Schema != Schema:
			err = fmt.Errorf("it is of the form %q, known is %s: a newer memscribe wrote it", h.Schema, Schema)
		case h.Machine != machine || h.Number != number:
			err = errors.New("it was written under another name")
		}
	}
	var doc jsondoc.Doc
	for text := range bytes.Lines(text) {
		if err != nil {
			break
		}
		var l sink.Line
		if l, err = parse(&doc, bytes.TrimSuffix(text, []byte("\n"))); err != nil {
			err = fmt.Errorf("line %d: %w", len(lines)+2, err)
		}
		lines = append(lines, l)
	}
	if err == nil && len(lines) != h.Nodes {
		err = fmt.Errorf("it has %d nodes, and says %d", len(lines), h.Nodes)
	}
	if err != nil {
		return h, nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	return h, lines, nil
}

// decrypt decrypts a file. A wrong key gives an error that says so.
func (k *Key) decrypt(data []byte) ([]byte, error) {
	opened, err := age.Decrypt(bytes.NewReader(data), k.identity)
	if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
		return nil, errors.New("it is encrypted with another key")
	}
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(opened)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, maxOpened+1))
	if err == nil && len(text) > maxOpened {
		err = fmt.Errorf("it unpacks to more than %d bytes", maxOpened)
	}
	return text, err
}

// parse reads a node.
func parse(doc *jsondoc.Doc, text []byte) (sink.Line, error) {
	n, err := doc.Parse(text)
	if err != nil {
		return sink.Line{}, err
	}
	node := doc.Root()
	if n != len(text) || !node.Get("schema").Is(core.NodeSchema) {
		return sink.Line{}, errors.New("it is no node")
	}
	start, _ := node.Path("turn_range", "start").Int()
	seq, _ := node.Get("seq").Int()
	l := sink.Line{
		ID: node.Get("id").Str(), Kind: node.Get("node").Str(), Source: core.Tool(node.Get("source").Str()), Session: node.Get("session_id").Str(),
		Thread: node.Get("thread_id").Str(), Seq: uint64(max(start, seq, 0)), JSON: text,
	}
	if kind, id, ok := strings.Cut(l.ID, ":"); !ok || kind != l.Kind || id == "" {
		return sink.Line{}, errors.New("its id is not one of a node of its kind")
	}
	return l, nil
}
