package otlp

import (
	"encoding/json"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// partial says what of a request was not kept, and why.
type partial struct {
	rejected int64
	message  string
}

// proto returns the answer to a request in protobuf, which reads the same for every
// kind of telemetry: ExportLogsServiceResponse and its kin, whose only member is
// partial_success (1), of rejected records (1) and error_message (2). Where all
// was kept there is none.
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

// refusal is why a request was not kept: google.rpc.Status.
type refusal struct {
	Code    uint32 `json:"code"`
	Message string `json:"message"`
}

func (r refusal) proto() []byte {
	b := protowire.AppendTag(nil, 1, protowire.VarintType)
	b = protowire.AppendVarint(b, uint64(r.Code))
	return appendText(b, 2, r.Message)
}

func appendText(b []byte, number protowire.Number, text string) []byte {
	if text == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), text)
}
