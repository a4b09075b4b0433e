package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// hermes is Hermes Agent, in the mode that takes one prompt.
type hermes struct{}

// source has the servers of tools with it.
func (hermes) source() source { return source{pypi, "hermes-agent[mcp]"} }

func (hermes) program(dir string) ([]string, error) {
	p := pythonIn(dir)
	if _, err := os.Lstat(p); err != nil {
		return nil, fmt.Errorf("find program: %w", err)
	}
	return []string{p, "-m", "hermes_cli.main"}, nil
}

func (hermes) env(s *session) []string {
	return []string{"HERMES_HOME=" + filepath.Join(s.home, ".hermes"), "PYTHONDONTWRITEBYTECODE=1"}
}

func (hermes) kept() []string { return []string{".hermes"} }

func (hermes) files(s *session) (map[string]string, error) {
	config := "model:\n  default: scripted\n  provider: custom\n  base_url: " + s.model + "/v1\n  api_key: " + dummyKey + "\n  context_length: 200000\n" +
		"security:\n  allow_lazy_installs: false\n  tirith_enabled: false\nlsp:\n  enabled: false\n" + // what it would download
		"approvals:\n  destructive_slash_confirm: false\n"
	servers, err := s.serversAsYAML()
	files := map[string]string{".hermes/config.yaml": config + servers}
	for _, run := range s.scenario.Runs {
		if i := slices.Index(run.Args, "--profile"); i >= 0 && i+1 < len(run.Args) {
			files[".hermes/profiles/"+run.Args[i+1]+"/config.yaml"] = config + servers
		}
	}
	return files, err
}

func (hermes) args(s *session, run script.Run, turn *script.Turn) ([]string, error) {
	a := append([]string{"chat", "--yolo"}, run.Args...)
	switch run.Mode {
	case script.New:
	case script.Terminal:
		return a, nil
	case script.Continue:
		a = append(a, "--continue")
	default:
		a = append(a, "--resume", s.id)
	}
	if turn.Image != nil {
		a = append(a, "--image", filepath.Join(s.home, pictureName))
	}
	return append(a, "--quiet", "--query", turn.Prompt), nil
}

// hermesID finds the session in what the tool says at its end.
func hermesID(said string) string {
	found := regexp.MustCompile(`(?m)^\s*session_id: (\S+)`).FindAllStringSubmatch(said, -1)
	if len(found) == 0 {
		return ""
	}
	return strings.TrimSpace(found[len(found)-1][1])
}

// direct has a person make the copy in which a fork works on: the tool makes it at
// its terminal only.
//
//nolint:unparam // what is done besides, others do
func (hermes) direct(_ context.Context, s *session, run *script.Run) (done bool, err error) {
	if run.Mode != script.Fork {
		return false, nil
	}
	if s.id == "" {
		return false, errors.New("find session to branch: none was named")
	}
	turn := run.Turns[0]
	*run = script.Run{Mode: script.Terminal, Turns: run.Turns, Args: []string{"--resume", s.id}, Keys: []script.Key{
		{Do: script.See, Text: "❯"},
		{Do: script.Quiet},
		{Do: script.Type, Text: "/branch"},
		{Do: script.Press, Text: "Enter"},
		{Do: script.Quiet},
		{Do: script.Prompt, Turn: turn},
		{Do: script.Played, Turn: turn, Step: len(s.scenario.Turns[turn].Steps) - 1},
		{Do: script.Quiet},
		{Do: script.Type, Text: "/exit"},
		{Do: script.Press, Text: "Enter"},
		{Do: script.Rest},
		{Do: script.Rest},
		{Do: script.Rest},
	}}
	return false, nil
}
