package otlp

import (
	"encoding/json"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// partial is how many records of a request were rejected, and why.
type partial struct {
	rejected int64
	message  string
}

// proto returns the answer to a request in protobuf. It is the same for all kinds of telemetry: a
// message with the member partial_success (1), which has the number of rejected records (1) and
// error_message (2). If all records were kept, the message is empty.
func (p partial) proto() []byte {
	if p == (partial{}) {
		return nil
	}
	var b []byte
	if p.rejected != 0 {
		b = protowire.AppendTag(b, 1, protowire.VarintType)
		b = protowire.AppendVarint(b, uint64(p.rejected))
	}
	b = appendText(b, 2, p.message)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), b)
}

// json returns the same in JSON.
func (p partial) json(s signal) ([]byte, error) {
	if p == (partial{}) {
		return []byte("{}"), nil
	}
	success := map[string]string{}
	if p.rejected != 0 {
		success[[...]string{"rejectedLogRecords", "rejectedSpans", "rejectedDataPoints"}[s]] = strconv.FormatInt(p.rejected, 10)
	}
	if p.message != "" {
		success["errorMessage"] = p.message
	}
	return json.Marshal(map[string]any{"partialSuccess": success})
}

// refusal is the answer to a request that was not kept: a google.rpc.Status.
type refusal struct {
	Code    uint32 `json:"code"`
	Message string `json:"message"`
}

// proto returns the refusal in protobuf.
func (r refusal) proto() []byte {
	b := protowire.AppendTag(nil, 1, protowire.VarintType)
	b = protowire.AppendVarint(b, uint64(r.Code))
	return appendText(b, 2, r.Message)
}

// appendText appends a string member, unless it is empty.
func appendText(b []byte, number protowire.Number, text string) []byte {
	if text == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), text)
}
