package otlp

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// signal is a kind of telemetry.
type signal int

const (
	logs signal = iota
	traces
	metrics
)

// key returns the member of a request that holds the telemetry, in JSON.
func (s signal) key() string {
	return [...]string{"resourceLogs", "resourceSpans", "resourceMetrics"}[s]
}

// request is what a client sent: one value of OTLP in JSON for each resource, and
// how many records each holds.
type request struct {
	values [][]byte
	counts []int64
	doubt  error // why it was kept as it came, without being understood
}

// errUnreadable says that a client sent what can never be read.
var errUnreadable = errors.New("not an OTLP request")

// readJSON reads a request in JSON and keeps it unchanged, so that members outside of the schema
// are not lost. Some clients send all telemetry to one address; then the content shows the kind.
//
// A request that violates details of the protocol is kept, and doubt says why: it is better to
// keep the telemetry of a client with a fault than to refuse it permanently.
func readJSON(body []byte) (request, error) {
	var doc jsondoc.Doc
	n, err := doc.Parse(body)
	if err != nil || doc.Root().Kind() != jsondoc.Object || len(trimmed(body[n:])) > 0 {
		return request{}, fmt.Errorf("read JSON: %w", errors.Join(errUnreadable, err))
	}
	root := doc.Root()
	if root.Len() == 0 {
		return request{}, nil
	}
	for _, s := range []signal{logs, traces, metrics} {
		list := root.Get(s.key())
		switch {
		case list.Kind() != jsondoc.Array:
			continue
		case list.Len() == 0:
			return request{}, nil
		}
		count, err := countJSON(s, body)
		return request{values: [][]byte{body}, counts: []int64{count}, doubt: err}, nil
	}
	return request{}, fmt.Errorf("read JSON: %w", errUnreadable)
}

// countJSON returns the number of records of a request. A request that violates the protocol
// counts as one record.
func countJSON(s signal, body []byte) (int64, error) {
	switch s {
	case logs:
		ld, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(body)
		if err == nil {
			return int64(ld.LogRecordCount()), nil
		}
		return 1, err
	case traces:
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(body)
		if err == nil {
			return int64(td.SpanCount()), nil
		}
		return 1, err
	default:
		md, err := (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(body)
		if err == nil {
			return int64(md.DataPointCount()), nil
		}
		return 1, err
	}
}

// trimmed returns JSON without white space before it.
func trimmed(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\r' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// readProto reads a request in protobuf. Some clients send all telemetry to the address of one
// kind (recorded: Codex 0.105.0 sends spans to /v1/logs). So a request that is not of the kind of
// its address is read as the other kinds.
func readProto(s signal, body []byte) (request, error) {
	req, err := readProtoAs(s, body)
	if err == nil {
		return req, nil
	}
	for _, other := range []signal{logs, traces, metrics} {
		if other == s {
			continue
		}
		if found, wrong := readProtoAs(other, body); wrong == nil && len(found.values) > 0 {
			return found, nil
		}
	}
	return request{}, fmt.Errorf("read protobuf: %w", errors.Join(errUnreadable, err))
}

// maxDepth is the deepest nesting of messages. Real clients nest ten.
const maxDepth = jsondoc.MaxDepth / 2

// Reasons to refuse a request before it is decoded: decoding would take many times its size in
// memory, or an unlimited stack.
var (
	errTooMany = fmt.Errorf("more than %d values: %w", jsondoc.MaxValues, errUnreadable)
	errTooDeep = fmt.Errorf("values inside each other more than %d times: %w", maxDepth, errUnreadable)
)

// bounded returns an error for a request with too many values or too deep nesting. A record may
// have two bytes, and a list in a list four, so the size alone is no limit.
func bounded(request []byte) error {
	n, err := parts(request, 0)
	if err == nil && n > jsondoc.MaxValues {
		err = errTooMany
	}
	return err
}

// parts counts the values in a request without decoding it. In every kind of telemetry records
// have the same depth and field numbers: resource (1), scope (2), record (2). A field in a record
// counts as a message if it can be read as one.
func parts(message []byte, depth int) (n int, err error) {
	const records = 3
	if depth > maxDepth {
		return 0, errTooDeep
	}
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return n, nil // decoding gives the error
		}
		message = message[size:]
		if size = protowire.ConsumeFieldValue(number, kind, message); size < 0 {
			return n, nil
		}
		if kind == protowire.BytesType {
			n++
			inner, _ := protowire.ConsumeBytes(message[:size])
			if depth >= records || depth == 0 && number == 1 || depth > 0 && number <= 2 {
				more, err := parts(inner, depth+1)
				if n += more; err != nil {
					return n, err
				}
			}
		}
		message = message[size:]
	}
	return n, nil
}

// readProtoAs reads a request as LogsData or the like, which have the same members as requests.
func readProtoAs(s signal, body []byte) (request, error) {
	if err := bounded(body); err != nil {
		return request{}, err
	}
	switch s {
	case logs:
		all, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(body)
		if err != nil {
			return request{}, err
		}
		return fromLogs(all)
	case traces:
		all, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(body)
		if err != nil {
			return request{}, err
		}
		return fromTraces(all)
	default:
		all, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(body)
		if err != nil {
			return request{}, err
		}
		return fromMetrics(all)
	}
}

// fromLogs returns the request for decoded logs, with one value for each resource.
func fromLogs(all plog.Logs) (request, error) {
	var req request
	for _, rl := range all.ResourceLogs().All() {
		one := plog.NewLogs()
		rl.CopyTo(one.ResourceLogs().AppendEmpty())
		value, err := (&plog.JSONMarshaler{}).MarshalLogs(one)
		if err != nil {
			return request{}, err
		}
		req.add(value, one.LogRecordCount())
	}
	return req, nil
}

// fromTraces is fromLogs for traces.
func fromTraces(all ptrace.Traces) (request, error) {
	var req request
	for _, rs := range all.ResourceSpans().All() {
		one := ptrace.NewTraces()
		rs.CopyTo(one.ResourceSpans().AppendEmpty())
		value, err := (&ptrace.JSONMarshaler{}).MarshalTraces(one)
		if err != nil {
			return request{}, err
		}
		req.add(value, one.SpanCount())
	}
	return req, nil
}

// fromMetrics is fromLogs for metrics.
func fromMetrics(all pmetric.Metrics) (request, error) {
	var req request
	for _, rm := range all.ResourceMetrics().All() {
		one := pmetric.NewMetrics()
		rm.CopyTo(one.ResourceMetrics().AppendEmpty())
		value, err := (&pmetric.JSONMarshaler{}).MarshalMetrics(one)
		if err != nil {
			return request{}, err
		}
		req.add(value, one.DataPointCount())
	}
	return req, nil
}

// add adds the JSON of a resource with its number of records.
func (r *request) add(value []byte, records int) {
	r.values, r.counts = append(r.values, value), append(r.counts, int64(records))
}

// errNotNow says that the client should send the request again.
var errNotNow = errors.New("try again")

// keep redacts a request and makes it durable.
func (r *Receiver) keep(ctx context.Context, req request) (partial, error) {
	var p partial
	lines := make([][]byte, 0, len(req.values))
	for i, value := range req.values {
		// In protobuf a string may be any bytes; a line must be UTF-8.
		clean, err := r.options.Scrub(bytes.ToValidUTF8(value, []byte("\ufffd")))
		if err != nil {
			p.rejected += req.counts[i]
			p.message = "cannot be redacted, and is not kept"
			r.options.Log.Error("telemetry is not kept", slogError(err))
			continue
		}
		lines = append(lines, clean)
	}
	if req.doubt != nil && p.message == "" {
		p.message = fmt.Sprintf("kept as it came: %v", req.doubt)
	}
	if len(lines) == 0 {
		return p, nil
	}
	if err := r.options.Keep(ctx, lines...); err != nil {
		r.options.Log.Error("telemetry cannot be kept for now", slogError(err))
		return p, errors.Join(errNotNow, err)
	}
	return p, nil
}
