package setup

import (
	"fmt"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// digestKey returns the key of the digests in placeholders. It is a file in the state folder that
// only the user can read, and is created when it is first needed.
func (s *Setup) digestKey() ([]byte, error) {
	dir, err := s.StateDir(s.StateFolder)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	return keyfile.File{Path: filepath.Join(dir, "redact.key"), For: "redaction key"}.Open()
}
