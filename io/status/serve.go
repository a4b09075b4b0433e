package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	headerTime   = 5 * time.Second
	shutdownTime = 500 * time.Millisecond
)

// ErrRemote says that an address can be reached from other machines.
var ErrRemote = errors.New("not a loopback address: what transcripts there are is nobody else's business")

// Listen opens an address for [Serve]. It must be one of this machine alone.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen for status: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen for status on %s: %w", address, ErrRemote)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for status: %w", err)
	}
	return l, nil
}

// Serve answers requests for /healthz and /metrics until ctx ends. What goes wrong
// with one is logged.
func Serve(ctx context.Context, l net.Listener, b *Board, log *slog.Logger) error {
	server := &http.Server{
		Handler: Handler(b), ReadHeaderTimeout: headerTime, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		_ = server.Shutdown(end)
	}()
	err := server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	return fmt.Errorf("serve status: %w", err)
}

// Handler answers requests for /healthz and /metrics.
func Handler(b *Board) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{b}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { health(w, b) })
	return mux
}

// health answers 200 while nodes can be delivered, and 503 while they cannot.
func health(w http.ResponseWriter, b *Board) {
	s := b.Look()
	answer := struct {
		Status     string `json:"status"`
		Transcript int    `json:"transcripts"`
		Errors     int64  `json:"errors"`
		LastError  string `json:"last_error,omitempty"`
		Waiting    string `json:"waiting,omitempty"`
	}{"catching up", s.Known, s.Errors, s.Error, s.Waiting}
	code := http.StatusOK
	switch {
	case s.Waiting != "":
		answer.Status, code = "waiting", http.StatusServiceUnavailable
	case s.Idle:
		answer.Status = "following"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer) // whoever asked has gone
}

// collector makes metrics of what a Board shows.
type collector struct{ board *Board }

// metric is one that is made anew whenever it is asked for.
func metric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("memscribe_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector]: the metrics are not known before
// they are collected.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements [prometheus.Collector].
func (c collector) Collect(to chan<- prometheus.Metric) {
	put := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	s := c.board.Look()
	put(metric("transcripts", "Transcripts that are followed."), prometheus.GaugeValue, float64(s.Known))
	put(metric("transcripts_in_memory", "Transcripts that need not be read again to go on."), prometheus.GaugeValue, float64(s.InMemory))
	put(metric("errors_total", "Problems with inputs."), prometheus.CounterValue, float64(s.Errors))
	put(metric("sink_waiting", "1 while the sink cannot be written to."), prometheus.GaugeValue, truth(s.Waiting != ""))
	put(metric("idle", "1 while there is nothing to read."), prometheus.GaugeValue, truth(s.Idle))
	put(metric("settled_timestamp_seconds", "When everything taken in was last durable."), prometheus.GaugeValue, seconds(s.Settled))
	nodes := metric("nodes_total", "Nodes delivered to the sink.", "kind")
	for kind, n := range s.Nodes {
		put(nodes, prometheus.CounterValue, float64(n), kind)
	}
	to <- prometheus.MustNewConstSummary(
		metric("lag_seconds", "From a write to a transcript until it was durable in the sink, of the latest changes."),
		uint64(len(s.Lags)), total(s.Lags), map[float64]float64{
			0.5: s.Quantile(0.5).Seconds(), 0.9: s.Quantile(0.9).Seconds(), 0.99: s.Quantile(0.99).Seconds(), 1: s.Quantile(1).Seconds(),
		})
	c.tools(put)
	c.streams(put)
}

func total(lags []time.Duration) float64 {
	var sum time.Duration
	for _, lag := range lags {
		sum += lag
	}
	return sum.Seconds()
}

type putMetric func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string)

func (c collector) tools(put putMetric) {
	bytes := metric("read_bytes_total", "Bytes of transcripts taken in.", "tool")
	records := metric("records_total", "Records of transcripts taken in.", "tool")
	unknown := metric("unknown_records_total", "Records that no one has described.", "tool")
	malformed := metric("malformed_records_total", "Records that are not JSON.", "tool")
	unseen := metric("unseen_total", "What was met in records that is not known of their tool, by name: records, kinds and members of objects, versions.", "tool", "what", "name")
	for tool, met := range c.board.Unseen() {
		for u, n := range met {
			put(unseen, prometheus.CounterValue, float64(n), string(tool), u.What, u.Name)
		}
	}
	for tool, t := range c.board.Tools() {
		put(bytes, prometheus.CounterValue, float64(t.Bytes), string(tool))
		put(records, prometheus.CounterValue, float64(t.Records), string(tool))
		put(unknown, prometheus.CounterValue, float64(t.Unknown), string(tool))
		put(malformed, prometheus.CounterValue, float64(t.Malformed), string(tool))
	}
}

// streams makes metrics of the transcripts in memory: of all of them they would
// be too many.
func (c collector) streams(put putMetric) {
	lag := metric("stream_lag_seconds", "From the last write to a transcript until it was durable in the sink.", "tool", "file")
	bytes := metric("stream_bytes", "Bytes taken in of a transcript.", "tool", "file")
	unknown := metric("stream_unknown_records", "Records of a transcript that no one has described.", "tool", "file")
	malformed := metric("stream_malformed_records", "Records of a transcript that are not JSON.", "tool", "file")
	stopped := metric("stream_stopped", "1 for a transcript that could not be redacted, or that the program broke on, and is not written any more.", "tool", "file")
	for _, f := range c.board.Files() {
		labels := []string{string(f.Tool), f.File}
		put(lag, prometheus.GaugeValue, f.Lag.Seconds(), labels...)
		put(bytes, prometheus.GaugeValue, float64(f.Bytes), labels...)
		put(unknown, prometheus.GaugeValue, float64(f.Unknown), labels...)
		put(malformed, prometheus.GaugeValue, float64(f.Malformed), labels...)
		put(stopped, prometheus.GaugeValue, truth(f.Stopped), labels...)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixNano()) / float64(time.Second)
}
