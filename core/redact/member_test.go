package redact_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/redact"
)

func TestScrubMember(t *testing.T) {
	e := engine(t, redact.Options{})
	tests := []struct{ name, value, want string }{
		{"password", "Zx8#kP2!vQ9m", "[REDACTED:password]"},
		{"password", `Zx8"kP2\vQ9m`, "[REDACTED:secret]"},
		{"db_password", "correct-horse-7", "[REDACTED:password]"},
		{"api_key", "a8f5f167f44f4964e6c998dee827110c", "[REDACTED:token]"},
		{"client_secret", "Zx8kP2vQ9mLw3nRt", "[REDACTED:secret]"},
		{"authToken", "q8Zr4Kx0Vn2Lw7Tm9Pd3", "[REDACTED:token]"},
		{"note", "Zx8#kP2!vQ9m", "Zx8#kP2!vQ9m"},
		{"max_tokens", "4096", "4096"},
		{"password", "$DB_PASSWORD", "$DB_PASSWORD"},
		{"password", "", ""},
		{"password", "[REDACTED:password]", "[REDACTED:password]"},
		{"secretKeyRef", "db-credentials", "db-credentials"},
		{"token", "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", "[REDACTED:github_pat]"},
		{"command", "export TOKEN=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", "export TOKEN=[REDACTED:github_pat]"},
	}
	for _, tt := range tests {
		got, err := e.ScrubMember([]byte(tt.name), []byte(tt.value))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q becomes %q (%v), want %q", tt.name, tt.value, got, err, tt.want)
			continue
		}
		if again, err := e.ScrubMember([]byte(tt.name), got); err != nil || string(again) != tt.want {
			t.Errorf("%s: %q becomes %q (%v) when scrubbed again", tt.name, got, again, err)
		}
	}
}
