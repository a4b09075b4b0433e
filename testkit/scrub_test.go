package testkit_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/internal/verify/scrub"
)

// TestFixturesScrubbed: no fixture holds a text of its tool's vendor.
func TestFixturesScrubbed(t *testing.T) {
	for _, s := range sessions(t, fixtures) {
		for _, f := range s.Files {
			data, err := os.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			clean, err := scrub.Transcript(s.Tool, data)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(clean, data) {
				t.Errorf("%s is not scrubbed", f.Name)
			}
			for place, text := range longTexts(data) {
				t.Errorf("%s: a long text where nobody speaks, at %s: %.100q", f.Name, place, text)
			}
		}
	}
}

// longTexts finds strings of more than a line or two in places that hold no
// conversation, no code and no output of a command.
func longTexts(data []byte) map[string]string {
	const long = 400
	found := map[string]string{}
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return found
		}
		if token.Kind() != jsontext.KindString || len(token.String()) < long {
			continue
		}
		if place := string(dec.StackPointer()); !spoken(place) {
			found[place] = token.String()
		}
	}
}

// spoken reports whether a place holds what people, models and programs say.
func spoken(place string) bool {
	for _, part := range []string{
		"/message/content", "/toolUseResult", "/params/update/rawOutput", "/mcpMeta", "/attachment/content/file", "/attachment/prompt", "/payload/output", "/payload/aggregated_output", "/payload/input",
		"/payload/arguments", "/payload/item", "/payload/message", "/payload/content", "/payload/replacement_history", "/content",
		"/message/parts", "/message/details/diff", "/messages/", "/$set/messages", "/toolCalls", "/toolCallResult/resultDisplay", "/summary",
		"/systemPayload/compressedHistory", "/systemPayload/uiEvent", "/data/content", "/data/transformedContent", "/data/result", "/data/arguments",
		"/data/toolRequests", "/event/result/output", "/event/args", "/event/part", "/data/data", // the last of a picture that a server gave
	} {
		if strings.HasPrefix(place, part) {
			return true
		}
	}
	for _, part := range []string{"/content/", "/toolCallStates/", "/message/toolCalls/", "/toolCallRounds/", "/toolCallResults/", "/edits/", "/metadata/summary", "/return_value/output"} { // of a list of messages
		if strings.Contains(place, part) {
			return true
		}
	}
	return false
}
