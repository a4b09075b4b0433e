package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// serversFile tells Claude Code of the servers, in its home.
const serversFile = "servers.json"

// storesDir is where in the home servers keep what they know, each in a folder of
// its own.
const storesDir = "stores"

// served is how a tool is to start a server, as most of them are told.
type served struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// servers is how the scenario's servers are started, by their names.
func (s *session) servers() map[string]served {
	all := map[string]served{}
	node := "node"
	if dir := nodePath(s.job.Client); dir != "" {
		node = filepath.Join(dir, "node")
	}
	for _, srv := range s.scenario.Servers {
		fill := strings.NewReplacer("{work}", s.work, "{store}", filepath.Join(s.home, storesDir, srv.Name)).Replace
		one := served{
			Command: node, Args: []string{filepath.Join(s.job.Servers[srv.Name], "node_modules", ".bin", srv.Program)},
			Env: map[string]string{}, // a client may refuse a server that has none
		}
		if srv.Package == "" {
			one.Command, one.Args = s.own(), nil
		}
		for _, a := range srv.Args {
			one.Args = append(one.Args, fill(a))
		}
		for name, value := range srv.Env {
			one.Env[name] = fill(value)
		}
		all[srv.Name] = one
	}
	return all
}

// serversAsTOML says it in the form of Codex.
func (s *session) serversAsTOML() string {
	var b strings.Builder
	all := s.servers()
	for _, srv := range s.scenario.Servers {
		one := all[srv.Name]
		quoted := make([]string, len(one.Args))
		for i, a := range one.Args {
			quoted[i] = fmt.Sprintf("%q", a)
		}
		fmt.Fprintf(&b, "\n[mcp_servers.%s]\ncommand = %q\nargs = [%s]\nstartup_timeout_sec = 60\n", srv.Name, one.Command, strings.Join(quoted, ", "))
		if atLeast(s.job.Version, "0.100") {
			b.WriteString("required = true\n") // it would begin without
		}
		if len(one.Env) > 0 {
			fmt.Fprintf(&b, "\n[mcp_servers.%s.env]\n", srv.Name)
		}
		for name, value := range one.Env {
			fmt.Fprintf(&b, "%s = %q\n", name, value)
		}
	}
	return b.String()
}

// serversWithCommands says it in the form of OpenCode.
func (s *session) serversWithCommands() map[string]any {
	all := map[string]any{}
	for name, one := range s.servers() {
		all[name] = map[string]any{"type": "local", "command": append([]string{one.Command}, one.Args...), "environment": one.Env, "enabled": true}
	}
	return all
}

// serversAsYAML says it in the form of Hermes Agent, whose YAML takes JSON.
func (s *session) serversAsYAML() (string, error) {
	if len(s.scenario.Servers) == 0 {
		return "", nil
	}
	text, err := json.Marshal(s.servers())
	return "mcp_servers: " + string(text) + "\n", err
}

// makeStores makes the folders in which servers keep what they know.
func (s *session) makeStores() error {
	for _, srv := range s.scenario.Servers {
		if err := os.MkdirAll(filepath.Join(s.home, storesDir, srv.Name), 0o755); err != nil {
			return fmt.Errorf("make store: %w", err)
		}
	}
	return nil
}

// stores reads what the servers keep.
func (s *session) stores() (map[string]string, error) {
	all := map[string]string{}
	root := filepath.Join(s.home, storesDir)
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !d.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := os.ReadFile(at)
		if rel, again := filepath.Rel(root, at); again == nil {
			all[filepath.ToSlash(rel)] = string(data)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read stores: %w", err)
	}
	return all, nil
}

// memories is where in its home a tool keeps its memories of the project.
func memories(tool core.Tool) string {
	switch tool {
	case core.ClaudeCode:
		return ".claude/projects/-home-dev-work-orders-service/memory"
	case core.Gemini:
		return ".gemini/tmp/orders-service/memory"
	case core.Qwen:
		return ".qwen/projects/-home-dev-work-orders-service/memory"
	default:
		return ".codex/memories"
	}
}
