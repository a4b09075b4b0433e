package status

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// expositionType is the media type of the text that Prometheus reads.
const expositionType = "text/plain; version=0.0.4; charset=utf-8"

// The types of metrics.
const (
	gauge   = "gauge"
	counter = "counter"
	summary = "summary"
)

// family is the samples of one metric. The text format requires them to be together.
type family struct {
	name, kind, help string
	labels           []string // names of the labels
	samples          []sample
}

// sample is one value of a metric, with the values of its labels in the family's order.
type sample struct {
	suffix string // after the name of the family, such as _sum
	labels []string
	value  float64
}

// put adds a sample.
func (f *family) put(v float64, labels ...string) {
	f.samples = append(f.samples, sample{labels: labels, value: v})
}

// exposition returns the metrics of a Board and of the process in the text format of Prometheus.
// Prometheus' own library would do the same, but its initialisation takes longer than a whole call
// of a hook.
func exposition(b *Board) []byte {
	var out bytes.Buffer
	s := b.Look()
	all := general(s)
	all = append(all, ofTools(b)...)
	all = append(all, ofStreams(b.Files())...)
	for _, f := range all {
		f.write(&out)
	}
	metrics.WriteProcessMetrics(&out)
	return out.Bytes()
}

// general returns the metrics of the capture as a whole.
func general(s State) []family {
	one := func(name, kind, help string, v float64) family {
		return family{name: name, kind: kind, help: help, samples: []sample{{value: v}}}
	}
	nodes := family{name: "nodes_total", kind: counter, help: "Nodes delivered to the sink.", labels: []string{"kind"}}
	for _, kind := range slices.Sorted(maps.Keys(s.Nodes)) {
		nodes.put(float64(s.Nodes[kind]), kind)
	}
	lags := family{
		name: "lag_seconds", kind: summary, labels: []string{"quantile"},
		help: "From a write to a transcript until it was durable in the sink, of the latest changes.",
	}
	for _, q := range []float64{0.5, 0.9, 0.99, 1} {
		lags.put(s.Quantile(q).Seconds(), strconv.FormatFloat(q, 'g', -1, 64))
	}
	lags.samples = append(lags.samples, sample{suffix: "_sum", value: total(s.Lags)}, sample{suffix: "_count", value: float64(len(s.Lags))})
	return []family{
		one("transcripts", gauge, "Transcripts that are followed.", float64(s.Known)),
		one("transcripts_in_memory", gauge, "Transcripts that need not be read again to go on.", float64(s.InMemory)),
		one("errors_total", counter, "Problems with inputs.", float64(s.Errors)),
		one("sink_waiting", gauge, "1 while the sink cannot be written to.", truth(s.Waiting != "")),
		one("idle", gauge, "1 while there is nothing to read.", truth(s.Idle)),
		one("settled_timestamp_seconds", gauge, "When everything taken in was last durable.", seconds(s.Settled)),
		nodes, lags,
	}
}

// total returns the sum of lags in seconds.
func total(lags []time.Duration) float64 {
	var sum time.Duration
	for _, lag := range lags {
		sum += lag
	}
	return sum.Seconds()
}

// ofTools returns the metrics of each tool. Counters never decrease. Counters of unknown shapes have
// the redacted name as a label.
func ofTools(b *Board) []family {
	per := func(name, help string, more ...string) family {
		return family{name: name, kind: counter, help: help, labels: append([]string{"tool"}, more...)}
	}
	read := per("read_bytes_total", "Bytes of transcripts taken in.")
	records := per("records_total", "Records of transcripts taken in.")
	unknown := per("unknown_records_total", "Records that no one has described.")
	malformed := per("malformed_records_total", "Records that are not JSON.")
	unseen := per("unseen_total", "What was met in records that is not known of their tool, by name: records, kinds and members of objects, versions.", "what", "name")
	tools := b.Tools()
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		t, label := tools[tool], string(tool)
		read.put(float64(t.Bytes), label)
		records.put(float64(t.Records), label)
		unknown.put(float64(t.Unknown), label)
		malformed.put(float64(t.Malformed), label)
	}
	met := b.Unseen()
	for _, tool := range slices.Sorted(maps.Keys(met)) {
		of := map[string]sample{}
		for u, n := range met[tool] { // order does not matter: sorted below
			of[u.What+"\x00"+u.Name] = sample{labels: []string{string(tool), u.What, u.Name}, value: float64(n)}
		}
		for _, key := range slices.Sorted(maps.Keys(of)) {
			unseen.samples = append(unseen.samples, of[key])
		}
	}
	return []family{read, records, unknown, malformed, unseen}
}

// ofStreams returns the metrics of transcripts in memory. For all transcripts there would be too
// many.
func ofStreams(files []File) []family {
	per := func(name, help string) family {
		return family{name: name, kind: gauge, help: help, labels: []string{"tool", "file"}}
	}
	lag := per("stream_lag_seconds", "From the last write to a transcript until it was durable in the sink.")
	read := per("stream_bytes", "Bytes taken in of a transcript.")
	unknown := per("stream_unknown_records", "Records of a transcript that no one has described.")
	malformed := per("stream_malformed_records", "Records of a transcript that are not JSON.")
	stopped := per("stream_stopped", "1 for a transcript that could not be redacted, or that the program broke on, and is not written any more.")
	for i := range files {
		f := &files[i]
		tool := string(f.Tool)
		lag.put(f.Lag.Seconds(), tool, f.File)
		read.put(float64(f.Bytes), tool, f.File)
		unknown.put(float64(f.Unknown), tool, f.File)
		malformed.put(float64(f.Malformed), tool, f.File)
		stopped.put(truth(f.Stopped), tool, f.File)
	}
	return []family{lag, read, unknown, malformed, stopped}
}

// write writes a family that has samples.
func (f *family) write(out *bytes.Buffer) {
	if len(f.samples) == 0 {
		return
	}
	name := "memscribe_" + f.name
	out.WriteString("# HELP " + name + " " + f.help + "\n# TYPE " + name + " " + f.kind + "\n")
	for _, s := range f.samples {
		out.WriteString(name + s.suffix)
		for i, value := range s.labels {
			sep := byte(',')
			if i == 0 {
				sep = '{'
			}
			out.WriteByte(sep)
			out.WriteString(f.labels[i] + `="` + escapeLabel(value) + `"`)
		}
		if len(s.labels) > 0 {
			out.WriteByte('}')
		}
		out.WriteString(" " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
	}
}

// escapeLabel returns the value of a label, escaped and as valid UTF-8.
func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "�"))
}

// truth returns 1 for true and 0 for false.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// seconds returns a time in seconds since 1970, or 0 for the zero time.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixNano()) / float64(time.Second)
}
