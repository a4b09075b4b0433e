package otlp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// written is a request as the library of the collector writes it in JSON, and how many records
// that has.
func written(s signal, body []byte) (text []byte, records int, err error) {
	switch s {
	case logs:
		all, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(body)
		if err != nil {
			return nil, 0, err
		}
		text, err = (&plog.JSONMarshaler{}).MarshalLogs(all)
		return text, all.LogRecordCount(), err
	case traces:
		all, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(body)
		if err != nil {
			return nil, 0, err
		}
		text, err = (&ptrace.JSONMarshaler{}).MarshalTraces(all)
		return text, all.SpanCount(), err
	default:
		all, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(body)
		if err != nil {
			return nil, 0, err
		}
		text, err = (&pmetric.JSONMarshaler{}).MarshalMetrics(all)
		return text, all.DataPointCount(), err
	}
}

// ours is the same as the receiver writes it: the resources of all values in one.
func ours(l layouts, s signal, body []byte) (text []byte, records int, err error) {
	req, err := l.readProtoAs(s, body)
	if err != nil {
		return nil, 0, err
	}
	var resources [][]byte
	for i, v := range req.values {
		records += int(req.counts[i])
		v = bytes.TrimPrefix(v, []byte(`{"`+s.key()+`":[`))
		resources = append(resources, bytes.TrimSuffix(v, []byte("]}")))
	}
	if len(resources) == 0 {
		return []byte("{}"), 0, nil
	}
	return fmt.Appendf(nil, `{%q:[%s]}`, s.key(), bytes.Join(resources, []byte(","))), records, nil
}

// same compares the two. The library reads values too that a later one replaces, and less of
// what is in no message.
func same(t *testing.T, l layouts, s signal, body []byte) (text []byte) {
	t.Helper()
	want, records, wrong := written(s, body)
	got, n, err := ours(l, s, body)
	switch {
	case err != nil && wrong == nil && !errors.Is(err, errTooMany) && !errors.Is(err, errDeep) && !strange(body):
		t.Fatalf("%x is refused: %v; the library has %s", body, err, want)
	case err != nil || wrong != nil || hasOld(body):
	case !bytes.Equal(got, want) || n != records:
		t.Fatalf("%x is\n%s with %d records, want\n%s with %d", body, got, n, want, records)
	}
	return got
}

// strange reports whether there are numbers of fields that the protocol does not allow, or
// groups, which the library reads otherwise.
func strange(b []byte) bool {
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		if size < 0 || wire == protowire.StartGroupType || wire == protowire.EndGroupType {
			return true
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(number, wire, b); size < 0 {
			return true
		}
		if wire == protowire.BytesType {
			if inner, _ := protowire.ConsumeBytes(b); strange(inner) {
				return true
			}
		}
		b = b[size:]
	}
	return false
}

// hasOld reports whether a resource may have records as they were before there were scopes: the
// library hands on that it has, and we the records.
func hasOld(body []byte) bool {
	return bytes.Contains(body, protowire.AppendTag(nil, 1000, protowire.BytesType))
}

// TestOld writes the records of clients from before there were scopes as others.
func TestOld(t *testing.T) {
	l, err := newLayouts()
	if err != nil {
		t.Fatal(err)
	}
	req, err := l.readProtoAs(logs, []byte("\x0a\x08\xc2\x3e\x05\x12\x03\x1a\x01x"))
	const want = `{"resourceLogs":[{"resource":{},"scopeLogs":[{"scope":{},"logRecords":[{"severityText":"x","body":{}}]}]}]}`
	if err != nil || len(req.values) != 1 || string(req.values[0]) != want || req.counts[0] != 1 {
		t.Errorf("%s, %v, %v; want %s", req.values, req.counts, err, want)
	}
}

// values fills a map with a value of each type.
func values(m pcommon.Map) {
	m.PutStr("text", "a\n\t\r\"\\\x01\x7f<é😀")
	m.PutStr("broken", "\xff\xfe")
	m.PutStr("", "")
	m.PutInt("int", -1<<63)
	m.PutBool("no", false)
	for i, v := range []float64{0, 1.5, -1e-7, 1e21, 123456789012, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)} {
		m.PutDouble(fmt.Sprintf("double%d", i), v)
	}
	m.PutEmptyBytes("bytes").FromRaw([]byte{0, 1, 255})
	m.PutEmptyBytes("no bytes")
	m.PutEmpty("nothing")
	l := m.PutEmptySlice("list")
	l.AppendEmpty().SetStr("x")
	l.AppendEmpty()
	l.AppendEmpty().SetEmptyMap().PutEmptyMap("in").PutInt("n", 7)
	m.PutEmptySlice("no list")
	m.PutEmptyMap("no map")
}

// everything is a request of each kind that has all that the protocol has.
func everything(t testing.TB) (all [metrics + 1][]byte) {
	t.Helper()
	ld := plog.NewLogs()
	rl := ld.ResourceLogs().AppendEmpty()
	rl.SetSchemaUrl("https://schema")
	values(rl.Resource().Attributes())
	rl.Resource().SetDroppedAttributesCount(3)
	sl := rl.ScopeLogs().AppendEmpty()
	sl.SetSchemaUrl("s")
	sl.Scope().SetName("scope")
	sl.Scope().SetVersion("1")
	sl.Scope().SetDroppedAttributesCount(1)
	values(sl.Scope().Attributes())
	lr := sl.LogRecords().AppendEmpty()
	lr.SetTimestamp(1)
	lr.SetObservedTimestamp(math.MaxUint64)
	lr.SetSeverityNumber(plog.SeverityNumberError2)
	lr.SetSeverityText("error")
	lr.Body().SetStr("body")
	values(lr.Attributes())
	lr.SetDroppedAttributesCount(2)
	lr.SetFlags(1)
	lr.SetTraceID([16]byte{1, 2, 3, 15: 9})
	lr.SetSpanID([8]byte{7: 1})
	lr.SetEventName("event")
	sl.LogRecords().AppendEmpty()
	ld.ResourceLogs().AppendEmpty()

	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.SetSchemaUrl("u")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.SetSchemaUrl("v")
	sp := ss.Spans().AppendEmpty()
	sp.SetTraceID([16]byte{1})
	sp.SetSpanID([8]byte{2})
	sp.SetParentSpanID([8]byte{3})
	sp.TraceState().FromRaw("a=b")
	sp.SetFlags(0x101)
	sp.SetName("span")
	sp.SetKind(ptrace.SpanKindClient)
	sp.SetStartTimestamp(4)
	sp.SetEndTimestamp(5)
	values(sp.Attributes())
	sp.SetDroppedAttributesCount(1)
	sp.SetDroppedEventsCount(2)
	sp.SetDroppedLinksCount(3)
	e := sp.Events().AppendEmpty()
	e.SetName("event")
	e.SetTimestamp(6)
	e.SetDroppedAttributesCount(1)
	values(e.Attributes())
	k := sp.Links().AppendEmpty()
	k.SetTraceID([16]byte{4})
	k.SetSpanID([8]byte{5})
	k.TraceState().FromRaw("c=d")
	k.SetFlags(2)
	k.SetDroppedAttributesCount(7)
	values(k.Attributes())
	sp.Status().SetCode(ptrace.StatusCodeError)
	sp.Status().SetMessage("failed")
	ss.Spans().AppendEmpty()

	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.SetSchemaUrl("u")
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.SetSchemaUrl("v")
	for i := range 6 {
		m := sm.Metrics().AppendEmpty()
		m.SetName("metric")
		m.SetDescription("what")
		m.SetUnit("By")
		values(m.Metadata())
		switch i {
		case 0:
			number(m.SetEmptyGauge().DataPoints())
		case 1:
			m.SetEmptySum().SetIsMonotonic(true)
			m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
			number(m.Sum().DataPoints())
		case 2:
			m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			histogram(m.Histogram().DataPoints())
		case 3:
			m.SetEmptyExponentialHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
			exponential(m.ExponentialHistogram().DataPoints())
		case 4:
			summary(m.SetEmptySummary().DataPoints())
		}
	}
	for s, marshal := range []func() ([]byte, error){
		func() ([]byte, error) { return (&plog.ProtoMarshaler{}).MarshalLogs(ld) },
		func() ([]byte, error) { return (&ptrace.ProtoMarshaler{}).MarshalTraces(td) },
		func() ([]byte, error) { return (&pmetric.ProtoMarshaler{}).MarshalMetrics(md) },
	} {
		b, err := marshal()
		if err != nil {
			t.Fatal(err)
		}
		all[s] = b
	}
	return all
}

func exemplar(all pmetric.ExemplarSlice) {
	e := all.AppendEmpty()
	e.SetTimestamp(1)
	e.SetDoubleValue(0)
	e.SetTraceID([16]byte{1})
	e.SetSpanID([8]byte{2})
	values(e.FilteredAttributes())
	all.AppendEmpty().SetIntValue(-3)
}

func number(all pmetric.NumberDataPointSlice) {
	p := all.AppendEmpty()
	values(p.Attributes())
	p.SetStartTimestamp(1)
	p.SetTimestamp(2)
	p.SetDoubleValue(0)
	p.SetFlags(1)
	exemplar(p.Exemplars())
	all.AppendEmpty().SetIntValue(-5)
	all.AppendEmpty()
}

func histogram(all pmetric.HistogramDataPointSlice) {
	p := all.AppendEmpty()
	values(p.Attributes())
	p.SetStartTimestamp(1)
	p.SetTimestamp(2)
	p.SetCount(3)
	p.SetSum(0)
	p.SetMin(0)
	p.SetMax(-1)
	p.SetFlags(1)
	p.BucketCounts().FromRaw([]uint64{0, 1, math.MaxUint64})
	p.ExplicitBounds().FromRaw([]float64{0, 1.5})
	exemplar(p.Exemplars())
	all.AppendEmpty()
}

func exponential(all pmetric.ExponentialHistogramDataPointSlice) {
	p := all.AppendEmpty()
	values(p.Attributes())
	p.SetStartTimestamp(1)
	p.SetTimestamp(2)
	p.SetCount(3)
	p.SetSum(4)
	p.SetScale(-20)
	p.SetZeroCount(5)
	p.SetZeroThreshold(0.25)
	p.Positive().SetOffset(-7)
	p.Positive().BucketCounts().FromRaw([]uint64{1, 1 << 40})
	p.Negative().SetOffset(math.MaxInt32)
	p.SetMin(1)
	p.SetMax(2)
	p.SetFlags(1)
	exemplar(p.Exemplars())
	all.AppendEmpty()
}

func summary(all pmetric.SummaryDataPointSlice) {
	p := all.AppendEmpty()
	values(p.Attributes())
	p.SetStartTimestamp(1)
	p.SetTimestamp(2)
	p.SetCount(3)
	p.SetSum(4)
	p.SetFlags(1)
	q := p.QuantileValues().AppendEmpty()
	q.SetQuantile(0.5)
	q.SetValue(7)
	p.QuantileValues().AppendEmpty()
	all.AppendEmpty()
}

// TestTranscode writes requests that have all that the protocol has byte for byte as the
// library of the collector does, and counts as many records in the JSON.
func TestTranscode(t *testing.T) {
	l, err := newLayouts()
	if err != nil {
		t.Fatal(err)
	}
	names, shown := map[string]bool{}, map[string]bool{}
	for i, body := range everything(t) {
		s := signal(i)
		text := same(t, l, s, body)
		_, want, _ := written(s, body)
		var doc jsondoc.Doc
		if n, err := doc.Parse(text); err != nil || n != len(text) {
			t.Fatalf("%s: %v", text, err)
		}
		if got, err := look(doc.Root(), l[s]); err != nil || got != want {
			t.Errorf("%s has %d records, %v; want %d", s.key(), got, err, want)
		}
		for name := range layoutsOf(l[s]) {
			if bytes.Contains(text, []byte(`"`+name+`":`)) {
				shown[name] = true
			}
			names[name] = true
		}
		for cut := 0; cut < len(body); cut += 97 {
			same(t, l, s, body[:cut])
		}
	}
	for name := range names { // the library does not let set what is of other signals
		if !shown[name] && !slices.Contains([]string{"keyStrindex", "stringValueStrindex", "entityRefs", "type", "idKeys", "descriptionKeys"}, name) {
			t.Errorf("no request has %q", name)
		}
	}
}

// layoutsOf lists the names of all fields of a layout.
func layoutsOf(l *layout) map[string]bool {
	names, seen := map[string]bool{}, map[*layout]bool{}
	var add func(*layout)
	add = func(l *layout) {
		if l == nil || seen[l] {
			return
		}
		seen[l] = true
		for i := range l.fields {
			names[l.fields[i].name] = true
			add(l.fields[i].of)
		}
	}
	add(l)
	return names
}

// TestLook reads JSON that keeps to the protocol, and some that does not.
func TestLook(t *testing.T) {
	l, err := newLayouts()
	if err != nil {
		t.Fatal(err)
	}
	record := func(member string) string {
		return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{` + member + `},{}]}]}]}`
	}
	for text, want := range map[string]string{
		record(`"timeUnixNano":"1","unknown":[{}],"body":{"intValue":"-7"},"severityNumber":"SEVERITY_NUMBER_INFO"`): "",
		record(`"timeUnixNano":1,"body":{"doubleValue":"NaN"},"attributes":null`):                                    "",
		record(`"time_unix_nano":"18446744073709551615"`):                                                            "",
		`{"resource_logs":[{"scope_logs":[{"log_records":[{},{}]}]}]}`:                                               "",
		record(`"timeUnixNano":"soon"`):                                                                              "resourceLogs: scopeLogs: logRecords: timeUnixNano: not of its type",
		record(`"body":{"intValue":1.5}`):                                                                            "resourceLogs: scopeLogs: logRecords: body: intValue: not of its type",
		record(`"body":"text"`):                                                                                      "resourceLogs: scopeLogs: logRecords: body: not of its type",
		record(`"attributes":{"a":1}`):                                                                               "resourceLogs: scopeLogs: logRecords: attributes: not of its type",
		record(`"body":{"boolValue":"no"}`):                                                                          "resourceLogs: scopeLogs: logRecords: body: boolValue: not of its type",
	} {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
		n, err := look(doc.Root(), l[logs])
		if want == "" && (n != 2 || err != nil) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s has %d records, %v; want 2, or %q", text, n, err, want)
		}
	}
}

// TestDeep refuses values that stand in each other deeper than JSON may.
func TestDeep(t *testing.T) {
	l, err := newLayouts()
	if err != nil {
		t.Fatal(err)
	}
	wrap := func(b []byte, numbers ...protowire.Number) []byte {
		for _, n := range numbers {
			b = protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
		}
		return b
	}
	var value []byte
	for range jsondoc.MaxDepth {
		value = wrap(value, 1, 5)
	}
	if _, err := l.readProtoAs(logs, wrap(value, 5, 2, 2, 1)); !errors.Is(err, errDeep) {
		t.Errorf("values in each other: %v", err)
	}
}

// FuzzTranscode compares what is written with what the library of the collector writes, and
// what is counted.
func FuzzTranscode(f *testing.F) {
	l, err := newLayouts()
	if err != nil {
		f.Fatal(err)
	}
	for s, body := range everything(f) {
		f.Add(uint8(s), body)
	}
	f.Add(uint8(0), []byte("\x0a\x08\xc2\x3e\x05\x12\x03\x1a\x01x")) // as it was before there were scopes
	f.Add(uint8(2), []byte("\x0a\x09\x12\x07\x12\x05\x2a\x00\x3a\x01\x00"))
	f.Fuzz(func(t *testing.T, kind uint8, body []byte) {
		s := signal(kind % 3)
		text := same(t, l, s, body)
		if text != nil && !json.Valid(text) {
			t.Fatalf("%x is written as %s", body, text)
		}
	})
}
