package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

// The journals below their folder.
const (
	HookJournals = "hooks"
	OtlpJournal  = "otlp"
)

// AddStateDir adds the flag that names the state folder.
func AddStateDir(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "state-dir", "", "folder for what the program keeps for itself (default: by the system's convention)")
	ConfigurablePath(cmd, "state-dir", "state.dir")
}

// JournalDir is the folder of the journals.
func (a *App) JournalDir(stateDir string) (string, error) {
	dir, err := a.StateDir(stateDir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "journal"), nil
}

// StateDir is the folder for what the program keeps for itself: the one that was
// named, or that of the environment, or what the system wants.
func (a *App) StateDir(named string) (string, error) {
	if named == "" {
		named = a.Getenv("MEMSCRIBE_STATE_DIR")
	}
	if named != "" {
		return filepath.Abs(named)
	}
	if dir := a.Getenv("XDG_STATE_HOME"); a.OS != "darwin" && a.OS != "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "memscribe"), nil
	}
	if a.OS == "darwin" || a.OS == "windows" {
		return a.DataDir()
	}
	home, err := a.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state", "memscribe"), nil
}

// DataDir is the folder for what a program keeps for its user, as the system
// wants it.
func (a *App) DataDir() (string, error) {
	switch a.OS {
	case "darwin":
		return a.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return a.userDir("LOCALAPPDATA", filepath.Join("AppData", "Local"))
	default:
		return a.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	}
}
