package release

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"runtime/debug"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestSBOM has the library of the format read the list of modules, and finds
// nothing in it that the library does not know.
func TestSBOM(t *testing.T) {
	replaced := &debug.Module{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0", Sum: "h1:c"}}
	doc := bomOf(&debug.BuildInfo{
		GoVersion: "go1.26", Main: debug.Module{Path: "example.com/main", Version: "v0.1.0"},
		Deps: []*debug.Module{{Path: "example.com/a", Version: "v1.2.3", Sum: "h1:a"}, replaced},
	})
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var read cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(text), cdx.BOMFileFormatJSON).Decode(&read); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := cdx.NewBOMEncoder(&again, cdx.BOMFileFormatJSON).EncodeVersion(&read, cdx.SpecVersion1_6); err != nil {
		t.Fatal(err)
	}
	var have, want any
	if err := json.Unmarshal(text, &have); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("the library writes it in another way:\n%s\n%s", text, &again)
	}
	parts := *read.Components
	if len(parts) != 3 || parts[2].PackageURL != "pkg:golang/example.com/c@v2.0.0" || (*parts[1].Properties)[0].Value != "h1:a" {
		t.Errorf("components %+v", parts)
	}
	if err := WriteSBOM(io.Discard); err != nil {
		t.Error(err)
	}
}
