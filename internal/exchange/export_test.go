package exchange

import (
	"bytes"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
)

const fuzzed = "0123456789abcdef"

// Seal makes a file of any lines.
func Seal(k *Key, lines []byte) ([]byte, error) {
	all := bytes.Split(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n"))
	nodes := make([]sink.Line, len(all))
	for i, line := range all {
		nodes[i].JSON = line
	}
	return k.seal(header{Machine: fuzzed, Number: 1}, nodes)
}

// Open reads it.
func Open(k *Key, sealed []byte) ([]sink.Line, error) {
	_, lines, err := k.open(nameOf(fuzzed, 1), sealed)
	return lines, err
}

// KeysOf finds the keys to a bucket.
var KeysOf = keysOf

// Address is where a server has what a bucket keeps under a key.
func Address(b *Bucket, key string) string { return b.address(key, nil) }

// Hasten has an SSH wait less than it does for people.
func (s *SSH) Hasten(quiet, command time.Duration) {
	s.limits = limits{quiet: quiet, command: command, ending: quiet / 4}
}
