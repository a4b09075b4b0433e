// Package spill keeps texts in a temporary file instead of memory while the program runs.
//
// The texts are not redacted yet. So only the owner can read the file, it has no name where the
// system allows that, and it is encrypted with a random key that never leaves the process.
//
// A text is named by its offset, which Put returns, and its length, which the caller keeps:
//
//	at, err := store.Put(text)
//	…
//	text, err = store.Get(at, n)
//
// Nothing is deleted before Close: a capture of many gigabytes needs a temporary file of about
// the size of the texts that it keeps.
package spill

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
)

// held is how many bytes are collected in memory before they are written.
const held = 256 << 10

// Store is a store of texts. It must be used by one goroutine. The file is created when more
// than held bytes have been put. Encryption is AES in counter mode, so any range can be read
// alone; the counter of a block is its number in the file.
//
//	file                         rest
//	├────────────────────────────┼──────────────┤
//	0                         written
type Store struct {
	block   cipher.Block
	file    *os.File
	name    string // of the file, if it could not be removed while it is open
	written int64
	rest    []byte
	broken  error
}

// New returns an empty store.
func New() (*Store, error) {
	var key [16]byte
	if _, err := rand.Read(key[:]); err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return &Store{block: block}, nil
}

// Put stores a text and returns its place. After an error every further Put fails; texts that
// were stored before can still be read.
func (s *Store) Put(text string) (at int64, err error) {
	if s.broken != nil {
		return 0, s.broken
	}
	if len(s.rest) > 0 && len(s.rest)+len(text) > held {
		if s.broken = s.write(); s.broken != nil {
			return 0, s.broken
		}
	}
	at = s.written + int64(len(s.rest))
	s.rest = append(s.rest, text...)
	return at, nil
}

// write encrypts the rest and appends it to the file.
func (s *Store) write() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "memscribe-*.store")
		if err != nil {
			return fmt.Errorf("create temporary file: %w", err)
		}
		s.file = f
		if os.Remove(f.Name()) != nil {
			s.name = f.Name()
		}
	}
	sealed := make([]byte, len(s.rest))
	s.crypt(sealed, s.rest, s.written)
	if _, err := s.file.WriteAt(sealed, s.written); err != nil {
		return fmt.Errorf("write temporary file: %w", err)
	}
	s.written += int64(len(s.rest))
	s.rest = s.rest[:0]
	return nil
}

// crypt encrypts or decrypts the bytes at an offset of the file.
func (s *Store) crypt(dst, src []byte, at int64) {
	var iv [aes.BlockSize]byte
	n := uint64(at / aes.BlockSize)
	for i := range 8 {
		iv[aes.BlockSize-1-i] = byte(n >> (8 * i))
	}
	stream := cipher.NewCTR(s.block, iv[:])
	var skipped [aes.BlockSize]byte
	skip := skipped[:at%aes.BlockSize]
	stream.XORKeyStream(skip, skip)
	stream.XORKeyStream(dst, src)
}

// Get returns the size bytes that were stored at a place.
func (s *Store) Get(at int64, size int) (string, error) {
	if from := at - s.written; from >= 0 && from+int64(size) <= int64(len(s.rest)) {
		return string(s.rest[from : from+int64(size)]), nil
	}
	if at < 0 || size < 0 || at+int64(size) > s.written {
		return "", fmt.Errorf("read store: %d bytes at %d were never put there", size, at)
	}
	text := make([]byte, size)
	if _, err := s.file.ReadAt(text, at); err != nil {
		return "", fmt.Errorf("read temporary file: %w", err)
	}
	s.crypt(text, text, at)
	return string(text), nil
}

// Close removes the file.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	s.file, s.broken = nil, os.ErrClosed
	return err
}
