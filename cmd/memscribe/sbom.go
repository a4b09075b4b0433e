package main

import (
	"errors"
	"io"
	"runtime/debug"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes which modules the program is made of, as a CycloneDX document
// in JSON. It is the same for the same program: no serial number, no time.
func writeSBOM(w io.Writer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("read build info: the program was built without it")
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: component(cdx.ComponentTypeApplication, &info.Main)}
	parts := []cdx.Component{{
		BOMRef: "pkg:generic/go@" + info.GoVersion, Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
	}}
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, *component(cdx.ComponentTypeLibrary, m))
	}
	bom.Components = &parts
	e := cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON)
	e.SetPretty(true)
	return e.Encode(bom)
}

func component(kind cdx.ComponentType, m *debug.Module) *cdx.Component {
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	c := &cdx.Component{BOMRef: purl, Type: kind, Name: m.Path, Version: m.Version, PackageURL: purl}
	if m.Sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}} // as in go.sum
	}
	return c
}
