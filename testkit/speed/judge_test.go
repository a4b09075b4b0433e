package speed_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/frame"
)

// BenchmarkJudge says what share of the time of a parse goes into judging exchanges: what
// was said is collected once; then each round parses everything and, beside it, only
// judges what was said, with every piece of a reply, as the parse does.
//
//	parse   |--------------------|   all of it, judging included
//	judge   |---|                    the same turns and replies, judged again
func BenchmarkJudge(b *testing.B) {
	b.Run("made", func(b *testing.B) { judgeShare(b, [][]byte{claude(corpusSize, 1)}) })
	b.Run("real", func(b *testing.B) { judgeShare(b, sessions(b)) })
}

// sessions are the real sessions of Claude Code, where there are some.
func sessions(b *testing.B) (all [][]byte) {
	b.Helper()
	root := filepath.Join("..", "..", "..", "shared", "wild", "claude-code")
	if _, err := os.Stat(root); err != nil {
		b.Skipf("no real sessions: %v", err)
	}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		data, err := os.ReadFile(path)
		all = append(all, data)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return all
}

func judgeShare(b *testing.B, corpus [][]byte) {
	set, err := pipeline.NewSet(pipeline.Options{Messages: true})
	if err != nil {
		b.Fatal(err)
	}
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		b.Fatal(err)
	}
	model, err := decide.Model()
	if err != nil {
		b.Fatal(err)
	}
	judge := decide.NewJudge(rules, model, decide.Threshold)
	var said []*core.Message
	for i, data := range corpus {
		said = append(said, fold(set, fmt.Sprintf("/p/%d.jsonl", i), data)...)
	}
	var size int
	for _, data := range corpus {
		size += len(data)
	}
	b.SetBytes(int64(size))
	var shares []float64
	round := 0
	for b.Loop() {
		if set, err = pipeline.NewSet(pipeline.Options{}); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		for i, data := range corpus {
			fold(set, fmt.Sprintf("/p/%d-%d.jsonl", round, i), data)
		}
		whole := time.Since(start)
		start = time.Now()
		turns := judgeAll(judge, said)
		shares = append(shares, 100*time.Since(start).Seconds()/whole.Seconds())
		b.ReportMetric(float64(turns), "turns")
		round++
	}
	slices.Sort(shares)
	b.ReportMetric(shares[len(shares)/2], "%judging")
}

// fold takes in a transcript and returns what was said in it.
func fold(set *pipeline.Set, path string, data []byte) []*core.Message {
	st := set.Open(claudecode.Adapter{}, core.StreamInfo{Path: path}, path)
	var lines frame.Lines
	for chunk := range slices.Chunk(data, 256<<10) {
		lines.Feed(chunk, func(l frame.Line) { st.Line(l.Bytes, l.Offset, l.Number) })
		set.Take()
	}
	return set.Messages()
}

// judgeAll judges every turn, at once and with each piece of the reply to it.
func judgeAll(judge *decide.Judge, said []*core.Message) (turns int) {
	const most = 16 << 10 // of the message before, as it is kept
	var before, reply strings.Builder
	var asked *decide.Asked
	for _, m := range said {
		switch m.Kind {
		case core.Asked:
			tail := before.String()
			asked = judge.Turn(m.Text, func() string { return tail[max(0, len(tail)-most):] }).Asked
			before.Reset()
			reply.Reset()
			turns++
		case core.Said:
			before.WriteString(m.Text + "\n")
			if asked != nil && m.Text != "" && reply.Len() < decide.MaxReply {
				reply.WriteString(m.Text[:min(len(m.Text), decide.MaxReply)] + "\n")
				judge.Hear(asked, reply.String(), false)
			}
		case core.Command:
		}
	}
	return turns
}
