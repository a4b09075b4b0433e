package chain_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// TestBody holds what is hashed to the canonical form of the entry as it is sent.
func TestBody(t *testing.T) {
	odd := []string{
		"", "plain", "\x00\x01\x1f\x7f", "\b\f\n\r\t\"\\/", "<script>&amp;", "\u2028\u2029", "\ufeff", "é\u0301", "\U0001f600", "\U0010ffff\ue000", "\ufffd",
		strings.Repeat("ü", 3000),
	}
	for i, text := range odd {
		e := chain.Entry{
			Schema: chain.Schema, Seq: 1<<53 - int64(i), EntryID: text, Namespace: text, MemoryID: text, Action: text, ContentSHA256: text,
			RecordSHA256: text, Source: text, SessionID: text, EventIDs: odd[:i], TransactionAt: text, PrevHash: text, Hash: strings.Repeat("0", 64),
		}
		body, err := chain.Body(&e)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		want := jsontext.Value(strings.Replace(string(sent), `,"hash":"`+e.Hash+`"`, "", 1))
		if err := want.Canonicalize(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(body)); diff != "" {
			t.Errorf("%q (-canonical +hashed):\n%s", text, diff)
		}
	}
}
