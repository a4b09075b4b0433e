package setup

import (
	"fmt"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// digestKey returns the key of the digests in placeholders. It lies in the state
// folder, for the user alone, and is made when it is first asked for.
func (s *Setup) digestKey() ([]byte, error) {
	dir, err := s.StateDir(s.StateFolder)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	return keyfile.File{Path: filepath.Join(dir, "redact.key"), For: "redaction key"}.Open()
}
