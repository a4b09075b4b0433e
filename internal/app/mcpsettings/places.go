package mcpsettings

import (
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/app/host"
)

// homeOf returns the folder below which tools keep their settings: home if it is named, else the
// user's.
func homeOf(e host.Machine, home string) (string, error) {
	if home != "" {
		return home, nil
	}
	return e.Home()
}

// below returns a function that places a file in a folder below the user's home, or in the
// folder that an environment variable names. The variable counts only if no home is given: with
// --home, another user's settings are meant.
func below(variable, folder, file string) func(host.Machine, string) (string, string, error) {
	return func(e host.Machine, home string) (string, string, error) {
		if variable != "" && home == "" {
			if dir := e.Variable(variable); dir != "" {
				return filepath.Join(dir, file), dir, nil
			}
		}
		root, err := homeOf(e, home)
		dir := filepath.Join(root, filepath.FromSlash(folder))
		return filepath.Join(dir, file), dir, err
	}
}

// claudes returns the file in which Claude Code keeps a user's servers: beside its folder.
func claudes(e host.Machine, home string) (file, folder string, err error) {
	if dir := e.Variable("CLAUDE_CONFIG_DIR"); dir != "" && home == "" {
		return filepath.Join(dir, ".claude.json"), dir, nil
	}
	root, err := homeOf(e, home)
	return filepath.Join(root, ".claude.json"), filepath.Join(root, ".claude"), err
}

// configOf returns the folder in which programs keep a user's settings on this system: APPDATA
// on Windows, XDG_CONFIG_HOME on Linux, or the given folder below the home folder.
func configOf(e host.Machine, home, onWindows, onDarwin, elsewhere string) (string, error) {
	root, err := homeOf(e, home)
	if err != nil {
		return "", err
	}
	variable, folder := "XDG_CONFIG_HOME", elsewhere
	switch e.OS {
	case "windows":
		variable, folder = "APPDATA", onWindows
	case "darwin":
		variable, folder = "", onDarwin
	}
	if dir := e.Variable(variable); variable != "" && home == "" && filepath.IsAbs(dir) {
		return dir, nil
	}
	return filepath.Join(root, filepath.FromSlash(folder)), nil
}

// opencodes returns the file of OpenCode that is there, or the first of them. It keeps to
// XDG's folders on every system.
func opencodes(e host.Machine, home string) (file, folder string, err error) {
	e.OS = "linux"
	config, err := configOf(e, home, "", "", ".config")
	folder = filepath.Join(config, "opencode")
	for _, name := range []string{"opencode.json", "opencode.jsonc", "config.json"} {
		if _, none := os.Stat(filepath.Join(folder, name)); none == nil {
			return filepath.Join(folder, name), folder, err
		}
	}
	return filepath.Join(folder, "opencode.json"), folder, err
}

// vscodes returns the file in which VS Code keeps MCP servers of the user, and the
// folder that shows that it is installed.
func vscodes(e host.Machine, home string) (file, folder string, err error) {
	config, err := configOf(e, home, "AppData/Roaming", "Library/Application Support", ".config")
	folder = filepath.Join(config, "Code", "User")
	return filepath.Join(folder, "mcp.json"), folder, err
}

// zeds returns Zed's settings file and the folder that shows that it is installed.
func zeds(e host.Machine, home string) (file, folder string, err error) {
	config, err := configOf(e, home, "AppData/Roaming", ".config", ".config")
	name := "zed"
	if e.OS == "windows" {
		name = "Zed"
	}
	folder = filepath.Join(config, name)
	return filepath.Join(folder, "settings.json"), folder, err
}
