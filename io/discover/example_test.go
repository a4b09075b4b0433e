package discover_test

import (
	"fmt"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

func ExampleRoots() {
	here := discover.Env{OS: "linux", Home: "/home/me", Getenv: func(string) string { return "" }}
	for _, r := range discover.Roots([]core.Adapter{claude()}, here) {
		fmt.Println(filepath.ToSlash(r.Dir), r.Holds("projects/app/0c1f.jsonl.zst"), r.Holds("history.jsonl"))
	}
	// Output:
	// /home/me/.claude true false
	// /home/me/.config/Claude true false
}
