package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/app/host"
)

// TestConfigExample holds docs/memscribe.example.toml to what 'config init' writes.
func TestConfigExample(t *testing.T) {
	a := newApp(cli.Env{Machine: host.Machine{Getenv: func(string) string { return "" }}})
	expectFile(t, "../../docs/memscribe.example.toml", a.Schema().Example())
}

// TestConfigKeys holds flags of one key to be of one kind: the file says one thing
// for all of them.
func TestConfigKeys(t *testing.T) {
	a := newApp(cli.Env{})
	kinds := map[string]string{}
	for _, f := range everyFlag(a.newRoot()) {
		k, ok := flagset.KeyOf(f)
		if !ok {
			continue
		}
		if before := kinds[k.Name]; before != "" && before != f.Value.Type() {
			t.Errorf("%s sets a flag of type %s and one of type %s", k.Name, before, f.Value.Type())
		}
		kinds[k.Name] = f.Value.Type()
	}
	if kinds["capture.tools"] == "" || kinds["log.format"] == "" {
		t.Errorf("no flag is set by a key: %v", kinds)
	}
}

func everyFlag(c *cobra.Command) []*pflag.Flag {
	var flags []*pflag.Flag
	add := func(f *pflag.Flag) { flags = append(flags, f) }
	c.PersistentFlags().VisitAll(add)
	c.Flags().VisitAll(add)
	for _, sub := range c.Commands() {
		flags = append(flags, everyFlag(sub)...)
	}
	return flags
}
