package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/internal/forget"
)

// The journals below their folder.
const (
	HookJournals = "hooks"
	OtlpJournal  = "otlp"
)

// AddStateDir adds the flag that names the state folder.
func AddStateDir(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "state-dir", "", "folder for internal state (default: by the system's convention)")
	ConfigurablePath(cmd, "state-dir", "state.dir")
}

// JournalDir is the folder of the journals.
func (e Env) JournalDir(stateDir string) (string, error) {
	dir, err := e.StateDir(stateDir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "journal"), nil
}

// StateDir is the folder for what the program keeps for itself: the one that was
// named, or the one in the environment, or what the system wants. What is there and no
// folder is refused.
func (e Env) StateDir(named string) (string, error) {
	if named == "" {
		named = e.Getenv("MEMSCRIBE_STATE_DIR")
	}
	if named != "" {
		if info, err := os.Stat(named); err == nil && !info.IsDir() {
			return "", fmt.Errorf("use state folder %s: it is not a folder; give --state-dir (or MEMSCRIBE_STATE_DIR) a folder", named)
		}
		return filepath.Abs(named)
	}
	if dir := e.Getenv("XDG_STATE_HOME"); e.OS != "darwin" && e.OS != "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "memscribe"), nil
	}
	if e.OS == "darwin" || e.OS == "windows" {
		return e.DataDir()
	}
	home, err := e.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state", "memscribe"), nil
}

// DataDir is the folder for what a program keeps for its user, as the system
// wants it.
func (e Env) DataDir() (string, error) {
	switch e.OS {
	case "darwin":
		return e.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return e.userDir("LOCALAPPDATA", filepath.Join("AppData", "Local"))
	default:
		return e.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	}
}

// ForgottenFile is the file of the tombstones of what is to stay forgotten.
func (e Env) ForgottenFile() (string, error) {
	dir, err := e.DataDir()
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	return filepath.Join(dir, forget.FileName), nil
}

// ConfigDir is the folder for what a user sets of a program, as the system wants
// it.
func (e Env) ConfigDir() (string, error) {
	switch e.OS {
	case "darwin":
		return e.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return e.userDir("APPDATA", filepath.Join("AppData", "Roaming"))
	default:
		return e.userDir("XDG_CONFIG_HOME", ".config")
	}
}

// userDir is the program's own folder below the one that a variable names, or
// else below a folder of the user's home.
func (e Env) userDir(variable, below string) (string, error) {
	if variable != "" && e.Getenv != nil {
		if dir := e.Getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memscribe"), nil
		}
	}
	if e.Home == nil {
		return "", errors.New("no home folder is known")
	}
	home, err := e.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, below, "memscribe"), nil
}

// Variable is the value of a variable of the environment; "" in a world without one.
func (e Env) Variable(name string) string {
	if e.Getenv == nil {
		return ""
	}
	return e.Getenv(name)
}
