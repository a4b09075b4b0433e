package kimi_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Calls that nothing answers, and one whose arguments never end, hold no more than a
// bounded memory.
func TestCallsBound(t *testing.T) {
	p := kimi.Adapter{}.NewParser(core.StreamInfo{Path: "sessions/a/b/wire.jsonl"})
	feed := func(line string) {
		t.Helper()
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(line)); err != nil {
			t.Fatal(err)
		}
		p.Parse(core.Record{Bytes: []byte(line), Doc: &doc}, func(*core.Event) {})
	}
	part := strings.Repeat("x", 64<<10)
	for i := range 1500 {
		feed(fmt.Sprintf(`{"timestamp":1,"message":{"type":"ToolCall","payload":{"type":"function","id":"c%d","function":{"name":"WriteFile","arguments":"%s"}}}}`, i, part))
		feed(fmt.Sprintf(`{"timestamp":1,"message":{"type":"ToolCallPart","payload":{"arguments_part":"%s"}}}`, part))
	}
	const most = 128 << 20
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > most {
		t.Errorf("%d bytes are held of calls without a result", m.HeapAlloc)
	}
	runtime.KeepAlive(p)
}
