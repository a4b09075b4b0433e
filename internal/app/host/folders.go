package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/forget"
)

// The names of the journals below [Machine.JournalDir].
const (
	HookJournals = "hooks"
	OtlpJournal  = "otlp"
)

// JournalDir returns the folder of the journals.
func (m Machine) JournalDir(stateDir string) (string, error) {
	dir, err := m.StateDir(stateDir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "journal"), nil
}

// StateDir returns the folder for what the program keeps for itself: the one that was
// named, or the one in the environment, or what the system wants. What is there and no
// folder is refused.
func (m Machine) StateDir(named string) (string, error) {
	if named == "" {
		named = m.Getenv("MEMSCRIBE_STATE_DIR")
	}
	if named != "" {
		if info, err := os.Stat(named); err == nil && !info.IsDir() {
			return "", fmt.Errorf("use state folder %s: it is not a folder; give --state-dir (or MEMSCRIBE_STATE_DIR) a folder", named)
		}
		return filepath.Abs(named)
	}
	if dir := m.Getenv("XDG_STATE_HOME"); m.OS != "darwin" && m.OS != "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "memscribe"), nil
	}
	if m.OS == "darwin" || m.OS == "windows" {
		return m.DataDir()
	}
	home, err := m.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state", "memscribe"), nil
}

// DataDir returns the folder for what a program keeps for its user, as the system
// wants it.
func (m Machine) DataDir() (string, error) {
	switch m.OS {
	case "darwin":
		return m.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return m.userDir("LOCALAPPDATA", filepath.Join("AppData", "Local"))
	default:
		return m.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	}
}

// ForgottenFile returns the file of the tombstones of what is to stay forgotten.
func (m Machine) ForgottenFile() (string, error) {
	dir, err := m.DataDir()
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	return filepath.Join(dir, forget.FileName), nil
}

// ConfigDir returns the folder for what a user sets of a program, as the system wants
// it.
func (m Machine) ConfigDir() (string, error) {
	switch m.OS {
	case "darwin":
		return m.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return m.userDir("APPDATA", filepath.Join("AppData", "Roaming"))
	default:
		return m.userDir("XDG_CONFIG_HOME", ".config")
	}
}

// userDir returns the program's own folder below the one that a variable names, or
// else below a folder of the user's home.
func (m Machine) userDir(variable, below string) (string, error) {
	if variable != "" && m.Getenv != nil {
		if dir := m.Getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memscribe"), nil
		}
	}
	if m.Home == nil {
		return "", errors.New("no home folder is known")
	}
	home, err := m.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, below, "memscribe"), nil
}

// Variable returns the value of a variable of the environment; "" in a world without one.
func (m Machine) Variable(name string) string {
	if m.Getenv == nil {
		return ""
	}
	return m.Getenv(name)
}
