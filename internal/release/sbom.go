// Package release looks up the newest release, verifies downloaded files of one, and lists the
// modules that the program is made of.
//
// A release consists of archives, a list SHA256SUMS of their checksums, a signature of that
// list in SHA256SUMS.minisig (minisign, Ed25519), and memscribe.latest, which names the
// release:
//
//	memscribe 1.2.3 2026-11-23
//	untrusted comment: …           the signature of the line above, in minisign's form
//	RUQ…
//
// The public key is part of the program. Nothing is downloaded or installed here: [Latest] asks
// for a version and a date, and [Verify] checks files that are already on the disk.
package release

import (
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
)

// bom is the part of a CycloneDX 1.6 document that describes a Go program. It is written by
// hand since the format's own library would slow down every start of the program; the tests
// read the document with that library.
type bom struct {
	Schema      string    `json:"$schema"`
	Format      string    `json:"bomFormat"`
	SpecVersion string    `json:"specVersion"`
	Version     int       `json:"version"`
	Metadata    bomHead   `json:"metadata"`
	Components  []bomPart `json:"components"`
}

// bomHead, bomPart and bomProperty are the parts of CycloneDX that a bill of materials needs.
// A module's purl is pkg:golang/PATH@VERSION, and its go.sum checksum is a property "go:sum".
type bomHead struct {
	Component bomPart `json:"component"`
}

type bomPart struct {
	Ref        string        `json:"bom-ref"`
	Type       string        `json:"type"`
	Name       string        `json:"name"`
	Version    string        `json:"version"`
	PURL       string        `json:"purl,omitempty"`
	Properties []bomProperty `json:"properties,omitempty"`
}

type bomProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// WriteSBOM writes the modules that the program is made of, as a CycloneDX document in JSON.
// The same program always writes the same document: it has no serial number and no time. It
// fails if the program was built without build information.
func WriteSBOM(w io.Writer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("read build info: the program was built without it")
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(bomOf(info))
}

// bomOf returns the CycloneDX document of a build: the standard library, then each module in
// the order of the build information. A replaced module is listed as what replaces it.
func bomOf(info *debug.BuildInfo) bom {
	doc := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: bomHead{module("application", &info.Main)},
		Components: []bomPart{
			{Ref: "pkg:generic/go@" + info.GoVersion, Type: "library", Name: "std", Version: info.GoVersion},
		},
	}
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		doc.Components = append(doc.Components, module("library", m))
	}
	return doc
}

// module returns a module as a component.
func module(kind string, m *debug.Module) bomPart {
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	c := bomPart{Ref: purl, Type: kind, Name: m.Path, Version: m.Version, PURL: purl}
	if m.Sum != "" {
		c.Properties = []bomProperty{{"go:sum", m.Sum}} // as in go.sum
	}
	return c
}
