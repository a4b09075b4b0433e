package speed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// claude returns at least size bytes of a made-up Claude Code session: the same
// for the same seed. Kinds of records, their shares and their sizes are those
// measured on real sessions: a median of 1.4 KB, a twentieth over 20 KB, most
// of the bytes in tool results that are stored twice.
func claude(size int, seed uint64) []byte {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 1)), parent: "null"}
	for len(g.out) < size {
		g.turn()
	}
	return g.out
}

const sessionID = "11111111-2222-4333-8444-555555555555"

type generator struct {
	rng    *rand.Rand
	out    []byte
	n      int
	parent string
}

// turn writes a person's prompt and what the agent does about it.
func (g *generator) turn() {
	g.record("user", `"message":{"role":"user","content":`+quote(g.pick(prompts))+`}`)
	for range 4 + g.rng.IntN(16) {
		switch g.rng.IntN(10) {
		case 0:
			g.assistant(`{"type":"thinking","thinking":` + quote(g.prose(g.length(2000))) + `,"signature":"c2lnbmF0dXJl"}`)
		case 1, 2:
			g.assistant(`{"type":"text","text":` + quote(g.prose(g.length(800))) + `}`)
		case 3:
			g.edit()
		default:
			g.read()
		}
	}
}

func (g *generator) read() { g.readOf(3000) }

func (g *generator) readOf(median float64) {
	call := g.call()
	g.assistant(`{"type":"tool_use","id":"` + call + `","name":"Read","input":{"file_path":"/home/dev/app/` + g.pick(files) + `"}}`)
	content := quote(g.code(g.length(median)))
	g.result(call, content, `{"type":"text","file":{"filePath":"/home/dev/app/x.go","content":`+content+`,"numLines":40,"startLine":1,"totalLines":40}}`)
}

func (g *generator) edit() {
	call, file := g.call(), "/home/dev/app/"+g.pick(files)
	old, now := g.code(g.length(500)), g.code(g.length(500))
	g.assistant(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Edit","input":{"file_path":%q,"old_string":%s,"new_string":%s}}`,
		call, file, quote(old), quote(now)))
	var lines []string
	for l := range strings.SplitSeq(old, "\n") {
		lines = append(lines, quote("-"+l))
	}
	for l := range strings.SplitSeq(now, "\n") {
		lines = append(lines, quote("+"+l))
	}
	oldLines, newLines := strings.Count(old, "\n")+1, strings.Count(now, "\n")+1
	g.result(call, `"The file has been updated successfully."`, fmt.Sprintf(
		`{"filePath":%q,"oldString":%s,"newString":%s,"originalFile":null,"structuredPatch":[{"oldStart":1,"oldLines":%d,"newStart":1,"newLines":%d,"lines":[%s]}],"userModified":false,"replaceAll":false}`,
		file, quote(old), quote(now), oldLines, newLines, strings.Join(lines, ",")))
}

func (g *generator) result(call, content, structured string) {
	g.record("user", `"message":{"role":"user","content":[{"tool_use_id":"`+call+`","type":"tool_result","content":`+content+
		`}]},"toolUseResult":`+structured)
}

func (g *generator) assistant(block string) {
	g.record("assistant", fmt.Sprintf(`"message":{"id":"msg_%016x","type":"message","role":"assistant","model":"claude-opus-4-5","content":[%s],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,"cache_creation_input_tokens":595,"cache_read_input_tokens":14350,`+
		`"cache_creation":{"ephemeral_5m_input_tokens":595,"ephemeral_1h_input_tokens":0},"output_tokens":104,"service_tier":"standard"}},"requestId":"req_%016x"`,
		g.rng.Uint64(), block, g.rng.Uint64()))
}

func (g *generator) record(kind, rest string) {
	uuid := fmt.Sprintf("%08x-0000-4000-8000-%012x", g.n, g.rng.Uint64()>>16)
	g.out = fmt.Appendf(g.out, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/app",`+
		`"sessionId":"`+sessionID+`","version":"2.1.44","gitBranch":"main","type":%q,%s,"uuid":%q,"timestamp":"2026-03-%02dT%02d:%02d:%02d.%03dZ"}`+"\n",
		g.parent, kind, rest, uuid, 1+g.n/864000%28, g.n/36000%24, g.n/600%60, g.n/10%60, g.n%1000)
	g.parent = `"` + uuid + `"`
	g.n++
}

func (g *generator) call() string { return fmt.Sprintf("toolu_%016x%08x", g.rng.Uint64(), g.n) }

// length draws from a lognormal distribution with the given median.
func (g *generator) length(median float64) int {
	return min(int(median*math.Exp(1.3*g.rng.NormFloat64())), 2<<20)
}

func (g *generator) pick(from []string) string { return from[g.rng.IntN(len(from))] }

func (g *generator) prose(n int) string { return g.fill(n, sentences, " ") }

func (g *generator) code(n int) string { return g.fill(n, codeLines, "\n") }

func (g *generator) fill(n int, from []string, sep string) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(g.pick(from))
		b.WriteString(sep)
	}
	return b.String()
}

func quote(s string) string { return string(jsondoc.AppendQuoteString(nil, s)) }
