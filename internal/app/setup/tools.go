package setup

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/config"
)

// ToolKeys returns the settings that replace environment variables of tools for the place of their
// transcripts. A service does not have the variables of a user's shell.
func ToolKeys() []config.Key {
	var keys []config.Key
	for _, a := range adapters.All() {
		for _, name := range variablesOf(a) {
			keys = append(keys, config.Key{
				Name: toolKey(a.Tool(), name), About: "where this variable does not say it: what it would name",
				Example: config.TOML("~/" + strings.ToLower(name)),
			})
		}
	}
	return keys
}

// toolKey returns the settings key of a variable of a tool:
// capture.tool.<tool>.env.<variable>.
func toolKey(tool core.Tool, variable string) string {
	return config.Join(config.Join("capture.tool", string(tool))+".env", variable)
}

// variablesOf returns the environment variables for the places of a tool, without those of the
// system, such as APPDATA.
func variablesOf(a core.Adapter) []string {
	systems := []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"}
	var names []string
	for _, p := range a.Places() {
		for _, r := range p.Roots {
			if r.Env != "" && !slices.Contains(systems, r.Env) && !strings.HasPrefix(r.Env, "XDG_") && !slices.Contains(names, r.Env) {
				names = append(names, r.Env)
			}
		}
	}
	return names
}

// withFile returns an environment in which a variable of a tool that is not set has the value
// of the settings. A service has none of the variables of a user's shell.
func (s *Setup) withFile(getenv func(string) string) func(string) string {
	said := map[string]string{}
	for _, adapter := range adapters.All() {
		for _, name := range variablesOf(adapter) {
			text := s.Settings.File.Text(toolKey(adapter.Tool(), name))
			if path, err := s.Settings.Path(text); text != "" && err == nil {
				said[name] = path
			}
		}
	}
	return func(name string) string {
		if getenv != nil {
			if v := getenv(name); v != "" {
				return v
			}
		}
		return said[name]
	}
}
