package attack

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Files makes many small transcripts, a hundred in a folder, each of a session of
// its own.
func Files(dir string, n, size int) error {
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%08d.jsonl", i))
		err := create(path, func(w io.Writer) error {
			var b strings.Builder
			for k := 0; b.Len() < size; k++ {
				b.WriteString(said(i, 2*k, fmt.Sprintf("Let's use store number %d instead of the old one.", k)))
				b.WriteString(says(i, 2*k+1, strings.Repeat(Text, 8)))
			}
			_, err := io.WriteString(w, b.String())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// says is a record of an agent's words.
func says(session, record int, words string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"%08x-0000-4000-8000-%012x","sessionId":"5e550001-0000-4000-8000-%012x","cwd":"/w",`+
		`"timestamp":"2026-08-01T00:00:00.000Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"%s"}]}}`+"\n",
		session, record, session, words)
}

// Records makes a transcript of many records that are as small as they can be and
// say something.
func Records(path string, n int) error {
	return create(path, func(w io.Writer) error {
		buf := bufio.NewWriter(w)
		fmt.Fprint(buf, said(1, 1, "Let's use tabs instead of spaces."))
		for i := range n {
			fmt.Fprintf(buf, `{"type":"user","uuid":"%d","sessionId":"s","message":{"role":"user","content":"go on"}}`+"\n", i)
		}
		return buf.Flush()
	})
}

// Calls makes a transcript of many records that are the same call, which is never
// answered.
func Calls(path string, n int) error {
	return create(path, func(w io.Writer) error {
		buf := bufio.NewWriter(w)
		fmt.Fprint(buf, said(1, 1, "Let's use tabs instead of spaces."))
		for range n {
			fmt.Fprint(buf, `{"type":"assistant","uuid":"u","sessionId":"s","message":{"role":"assistant","model":"m",`+
				`"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}`+"\n")
		}
		return buf.Flush()
	})
}

// Nothings makes a transcript of many records that say nothing.
func Nothings(path string, n int) error {
	return create(path, func(w io.Writer) error {
		buf := bufio.NewWriter(w)
		fmt.Fprint(buf, said(1, 1, "Let's use tabs instead of spaces."))
		for range n {
			fmt.Fprint(buf, "{}\n")
		}
		return buf.Flush()
	})
}

// Context makes a transcript of many small records, after one with a folder and a branch
// of some size, which all that follows would repeat.
func Context(path string, n, size int) error {
	return create(path, func(w io.Writer) error {
		buf := bufio.NewWriter(w)
		const at = `{"timestamp":"2026-08-01T00:00:00.000Z","type":`
		fmt.Fprint(buf, at+`"session_meta","payload":{"id":"5e550001-0000-4000-8000-000000000001","timestamp":"2026-08-01T00:00:00.000Z",`+
			`"cwd":"/w","originator":"codex-tui","cli_version":"0.166.0","git":{"branch":"main"}}}`+"\n")
		fmt.Fprint(buf, at+`"event_msg","payload":{"type":"user_message","message":"Let's use tabs instead of spaces."}}`+"\n")
		fmt.Fprintf(buf, at+`"turn_context","payload":{"cwd":"/%s","model":"%s"}}`+"\n", strings.Repeat("w", size), strings.Repeat("m", size))
		for i := range n {
			fmt.Fprintf(buf, at+`"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c%d",`+
				`"input":"*** Begin Patch\n*** Add File: a%d\n+x\n*** End Patch"}}`+"\n", i, i)
			fmt.Fprintf(buf, at+`"response_item","payload":{"type":"custom_tool_call_output","call_id":"c%d","output":"{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"}}`+"\n", i)
			fmt.Fprint(buf, at+`"event_msg","payload":{"type":"agent_message","message":"ok"}}`+"\n")
		}
		fmt.Fprint(buf, at+`"event_msg","payload":{"type":"user_message","message":"Let's use zstd instead of gzip."}}`+"\n")
		return buf.Flush()
	})
}
