package service_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/service"
	"github.com/memscribe/memscribe/internal/daemon"
)

// TestStatus shows the state of the service to a person and to a program.
func TestStatus(t *testing.T) {
	for asJSON, want := range map[bool]string{false: "running (systemd)\n", true: `{"state":"running","manager":"systemd"}` + "\n"} {
		var out strings.Builder
		if err := service.WriteStatus(console.New(&out), daemon.Running, "systemd", asJSON); err != nil || out.String() != want {
			t.Errorf("got %q, %v", &out, err)
		}
	}
}
