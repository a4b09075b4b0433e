package local_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/local"
)

// TestAsked asks as programs do, and as pages in a browser do.
func TestAsked(t *testing.T) {
	tests := []struct {
		host, origin, site string
		want               bool
	}{
		{"127.0.0.1:7475", "", "", true},
		{"localhost:7475", "", "none", true},
		{"[::1]:7475", "", "", true},
		{"::1", "", "", true},
		{"127.0.0.1:7475", "http://127.0.0.1:7475", "same-origin", true},
		{"127.0.0.1:7475", "http://localhost:7475", "", true},
		{"evil.example:7475", "", "", false},
		{"localhost.evil.example", "", "", false},
		{"", "", "", false},
		{"127.0.0.1:7475", "http://evil.example", "", false},
		{"127.0.0.1:7475", "http://evil.example:7475", "", false},
		{"127.0.0.1:7475", "http://localhost:3000", "", false},
		{"127.0.0.1:7475", "http://localhost", "", false},
		{"127.0.0.1:7475", "null", "", false},
		{"127.0.0.1:7475", "://", "", false},
		{"127.0.0.1:7475", "", "cross-site", false},
		{"127.0.0.1:7475", "", "same-site", false},
	}
	for _, tc := range tests {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
		r.Host = tc.host
		for name, value := range map[string]string{"Origin": tc.origin, "Sec-Fetch-Site": tc.site} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if got := local.Asked(r); got != tc.want {
			t.Errorf("Host %q, Origin %q, Sec-Fetch-Site %q: %v, want %v", tc.host, tc.origin, tc.site, got, tc.want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
	r.Host = "localhost:1"
	r.Header["Origin"] = []string{"http://localhost:1", "http://evil.example"}
	if local.Asked(r) {
		t.Error("the second Origin is not looked at")
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token, short := write("token", "0123456789abcdef\n", 0o600), write("short", "0123456789abcde\n", 0o600)
	two, open := write("two", "0123456789 abcdef", 0o600), write("open", "0123456789abcdef\n", 0o644)
	ours := "others may read"
	if runtime.GOOS == "windows" {
		ours = ""
	}
	tests := []struct {
		name, address string
		guard         local.Guard
		hasTokens     bool
		want          string // of the error
	}{
		{"loopback", "127.0.0.1:0", local.Guard{}, false, ""},
		{"loopback 6", "[::1]:0", local.Guard{}, false, ""},
		{"by name", "localhost:0", local.Guard{}, false, ""},
		{"everywhere", ":0", local.Guard{}, false, "needs a token"},
		{"everywhere 4", "0.0.0.0:0", local.Guard{}, false, "needs a token"},
		{"another name", "host.example:0", local.Guard{}, false, "needs a token"},
		{"insecure only", "0.0.0.0:0", local.Guard{Insecure: true}, false, "needs a token"},
		{"token only", "0.0.0.0:0", local.Guard{TokenFile: token}, false, "needs TLS"},
		{"other tokens only", "0.0.0.0:0", local.Guard{}, true, "needs TLS"},
		{"token and TLS", "0.0.0.0:0", local.Guard{TokenFile: token, CertFile: "c", KeyFile: "k"}, false, ""},
		{"other tokens and TLS", "0.0.0.0:0", local.Guard{CertFile: "c", KeyFile: "k"}, true, ""},
		{"token, insecure", "0.0.0.0:0", local.Guard{TokenFile: token, Insecure: true}, false, ""},
		{"short token", "127.0.0.1:0", local.Guard{TokenFile: short}, false, "at least 16"},
		{"two words", "127.0.0.1:0", local.Guard{TokenFile: two}, false, "one word"},
		{"token for all", "127.0.0.1:0", local.Guard{TokenFile: open}, false, ours},
		{"no token there", "127.0.0.1:0", local.Guard{TokenFile: filepath.Join(dir, "none")}, false, "read token"},
		{"half a certificate", "127.0.0.1:0", local.Guard{CertFile: "c"}, false, "and its key"},
		{"no port", "127.0.0.1", local.Guard{}, false, "read address"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.guard.Check(tc.hasTokens, "127.0.0.1:0", tc.address)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}
