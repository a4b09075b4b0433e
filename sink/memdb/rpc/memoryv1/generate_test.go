package memoryv1_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

var update = flag.Bool("update", false, "write the code that belongs to the document")

const (
	protos   = "../../../../docs/proto"
	document = "memscribe/memory/v1/memory.proto"
)

// request is what a compiler of protos asks of its plugins.
func request(t *testing.T, parameter string) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{protos}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(t.Context(), document)
	if err != nil {
		t.Fatal(err)
	}
	all := []*descriptorpb.FileDescriptorProto{}
	for _, f := range files {
		for i := range f.Imports().Len() {
			all = append(all, protodesc.ToFileDescriptorProto(f.Imports().Get(i)))
		}
		all = append(all, protodesc.ToFileDescriptorProto(f))
	}
	return &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{document}, Parameter: &parameter, ProtoFile: all}
}

// TestGenerated makes the code of this package out of the document, by the plugins of
// the modules that the program is built with.
func TestGenerated(t *testing.T) {
	for _, p := range []struct{ plugin, parameter, generated string }{
		{"google.golang.org/protobuf/cmd/protoc-gen-go", "paths=source_relative", "memory.pb.go"},
		{"connectrpc.com/connect/cmd/protoc-gen-connect-go", "paths=source_relative,package_suffix,simple", "memory.connect.go"},
	} {
		asked, err := proto.Marshal(request(t, p.parameter))
		if err != nil {
			t.Fatal(err)
		}
		plugin := exec.CommandContext(t.Context(), "go", "run", p.plugin)
		plugin.Stdin, plugin.Stderr = bytes.NewReader(asked), os.Stderr
		said, err := plugin.Output()
		if err != nil {
			t.Fatalf("%s: %v", p.plugin, err)
		}
		var answer pluginpb.CodeGeneratorResponse
		if err := proto.Unmarshal(said, &answer); err != nil || answer.Error != nil || len(answer.GetFile()) != 1 {
			t.Fatalf("%s: %v, %s, %d files", p.plugin, err, answer.GetError(), len(answer.GetFile()))
		}
		f := answer.GetFile()[0]
		if filepath.Base(f.GetName()) != p.generated {
			t.Errorf("%s makes %s", p.plugin, f.GetName())
		}
		if *update {
			if err := os.WriteFile(p.generated, []byte(f.GetContent()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(p.generated)
		if diff := cmp.Diff(statements(f.GetContent()), statements(string(have))); err != nil || diff != "" {
			t.Errorf("%s is not what the document makes (%v): go test ./sink/memdb/rpc/memoryv1 -run Generated -update\n%s", p.generated, err, diff)
		}
	}
}

// statements are what code says, however it is laid out: its lines, sorted, without the
// brackets that a formatter puts around variables.
func statements(code string) []string {
	var all []string
	for line := range strings.Lines(code) {
		line = strings.TrimPrefix(strings.Join(strings.Fields(line), " "), "var ")
		if line != "" && line != "(" && line != ")" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}
