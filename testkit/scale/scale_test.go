package scale_test

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/testkit/scale"
)

// measured are the costs that docs/scale.md names.
func measured() scale.Costs {
	return scale.Costs{
		ServerCall: 360 * time.Microsecond, ServerMemory: 140 * time.Microsecond,
		DatabaseCall: 730 * time.Microsecond, DatabaseMemory: 170 * time.Microsecond,
		Flush: 1200 * time.Microsecond, Network: 500 * time.Microsecond,
	}
}

// plans are the rows of the table in docs/scale.md.
func plans() []scale.Plan {
	one := scale.Plan{Costs: measured(), Writers: 50, Each: 1, Batch: 1, Namespaces: 10, Servers: 1, Cores: 2, DatabaseCores: 2}
	with := func(f func(*scale.Plan)) scale.Plan {
		p := one
		f(&p)
		return p
	}
	return []scale.Plan{
		one,
		with(func(p *scale.Plan) { p.Writers, p.Namespaces, p.Servers, p.DatabaseCores = 500, 100, 2, 4 }),
		with(func(p *scale.Plan) { p.Writers, p.Namespaces, p.Servers, p.DatabaseCores = 5000, 1000, 2, 4 }),
		with(func(p *scale.Plan) { p.Writers, p.Namespaces, p.Servers, p.DatabaseCores = 5000, 1000, 2, 16 }),
		with(func(p *scale.Plan) { p.Writers, p.Namespaces, p.Servers, p.DatabaseCores = 5000, 1000, 4, 16 }),
		with(func(p *scale.Plan) { p.Writers, p.Namespaces, p.Servers, p.DatabaseCores = 5000, 10, 4, 16 }),
		with(func(p *scale.Plan) {
			p.Writers, p.Namespaces, p.Servers, p.DatabaseCores, p.Batch, p.Each = 5000, 1000, 4, 16, 50, 0.05
		}),
	}
}

func round(d time.Duration) string {
	if d > time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f ms", math.Ceil(float64(d)/1e6))
}

// TestPlans holds the table in docs/scale.md to the simulation.
func TestPlans(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the table is of amd64: other processors round random moments otherwise")
	}
	var table strings.Builder
	for _, p := range plans() {
		o := p.Run(10 * time.Second)
		fmt.Fprintf(&table, "| %d | %g × %d | %d | %d × %d | %d | %.0f | %s | %s | %.0f / %.0f / %.0f %% | %s |\n",
			p.Writers, p.Each, p.Batch, p.Namespaces, p.Servers, p.Cores, p.DatabaseCores, o.Calls*float64(p.Batch), round(o.P50), round(o.P95),
			100*o.Servers, 100*o.Database, 100*o.Chain, o.First())
	}
	text, err := os.ReadFile("../../docs/scale.md")
	if err != nil || !strings.Contains(string(text), table.String()) {
		t.Errorf("docs/scale.md does not have the table of the simulation, %v:\n%s", err, table.String())
	}
}

// TestQueues holds the simulation to what can be worked out: calls that wait for
// nothing take what their parts take, a station that is full gives what it can, and
// commits share a flush.
func TestQueues(t *testing.T) {
	alone := scale.Plan{Costs: measured(), Writers: 1, Each: 0.1, Batch: 10, Namespaces: 1, Servers: 1, Cores: 1, DatabaseCores: 1}
	c := alone.Costs
	want := c.ServerCall + 10*c.ServerMemory + c.Network + c.DatabaseCall + 10*c.DatabaseMemory + c.Flush
	if o := alone.Run(1000 * time.Second); o.P50 != want || math.Abs(o.Calls-0.1) > 0.02 {
		t.Errorf("alone: %+v, want %v a call", o, want)
	}
	full := alone
	full.Writers, full.Each, full.Batch, full.Namespaces, full.DatabaseCores, full.Cores = 1000, 10, 1, 1000, 2, 16
	can := 2 / (c.DatabaseCall + c.DatabaseMemory).Seconds()
	if o := full.Run(5 * time.Second); math.Abs(o.Calls/can-1) > 0.01 || o.First() != "database" {
		t.Errorf("a full database: %+v, want %v calls", o, can)
	}
	chain := full
	chain.Namespaces, chain.DatabaseCores = 1, 16
	can = 1 / (c.Network + c.DatabaseCall + c.DatabaseMemory + c.Flush).Seconds()
	if o := chain.Run(5 * time.Second); math.Abs(o.Calls/can-1) > 0.01 || o.First() != "chain of a namespace" {
		t.Errorf("one namespace: %+v, want %v calls", o, can)
	}
	single, double := full, full
	single.DatabaseCores, double.DatabaseCores = 64, 64
	single.Cores, double.Cores, double.Servers = 1, 1, 2
	if a, b := single.Run(5*time.Second), double.Run(5*time.Second); b.Calls < 1.95*a.Calls || a.First() != "servers" {
		t.Errorf("one server: %+v; two: %+v", a, b)
	}
}
