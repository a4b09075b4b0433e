package sink_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
)

func TestMoved(t *testing.T) {
	for _, tt := range []struct{ from, to, path, want string }{
		{"/home/ann/app", "/home/bob/app", "/home/ann/app/src/a.go", "/home/bob/app/src/a.go"},
		{"/home/ann/app", "/home/bob/app", "/home/ann/app", "/home/bob/app"},
		{"/home/ann/app", "/home/bob/app", "/home/ann/apple/a.go", "/home/ann/apple/a.go"},
		{`C:\Users\ann\app`, "/home/bob/app", `C:\Users\ann\app\src\a.go`, "/home/bob/app/src/a.go"},
		{"/home/ann/app", `C:\app`, "/home/ann/app/src/a.go", `C:\app\src\a.go`},
		{"", "/home/bob/app", "/home/ann/app/a.go", "/home/ann/app/a.go"},
		{"/home/ann/app", "/home/bob/app", "", ""},
	} {
		if got := (sink.Moved{From: tt.from, To: tt.to}).Path(tt.path); got != tt.want {
			t.Errorf("%q from %q to %q: %q, want %q", tt.path, tt.from, tt.to, got, tt.want)
		}
	}
}
