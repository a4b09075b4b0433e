package verify

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/visible"
)

// shape notes what a transcript's records are like.
func (v *verdict) shape(s *trial.Stream) {
	tool := s.Input.Adapter.Tool()
	for u, n := range s.Stats.Unseen { // order does not matter: counts, sorted below
		i := slices.IndexFunc(v.Unseen, func(x unseen) bool { return x.Tool == tool && x.What == u.What && x.Name == u.Name })
		if i < 0 {
			v.Unseen, i = append(v.Unseen, unseen{Tool: tool, What: u.What, Name: u.Name}), len(v.Unseen)
		}
		v.Unseen[i].Count += n
	}
	slices.SortStableFunc(v.Unseen, func(a, b unseen) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name))
	})
	if s.Fingerprint == "" {
		return
	}
	i := slices.IndexFunc(v.Variants, func(x formatVariant) bool { return x.Tool == tool && x.Variant == s.Variant })
	if i < 0 {
		v.Variants, i = append(v.Variants, formatVariant{Tool: tool, Variant: s.Variant}), len(v.Variants)
	}
	x := &v.Variants[i]
	x.Transcripts++
	if at, found := slices.BinarySearch(x.Fingerprints, s.Fingerprint); !found {
		x.Fingerprints = slices.Insert(x.Fingerprints, at, s.Fingerprint)
	}
	slices.SortStableFunc(v.Variants, func(a, b formatVariant) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Variant, b.Variant))
	})
}

// writeShapes prints what the records are like, and what of them is not known.
func (v *verdict) writeShapes(b *strings.Builder) {
	if len(v.Unseen) > 0 {
		b.WriteString("not known of the tools, kept as it is:\n")
	}
	for _, u := range v.Unseen {
		visible.Fprintf(b, "  %8d  %s %s %s\n", u.Count, u.Tool, u.What, u.Name)
	}
	if len(v.Variants) > 0 {
		b.WriteString("variants of the tools' formats:\n")
	}
	for _, x := range v.Variants {
		name := x.Variant
		if name == "" {
			name = "none that is known"
		}
		visible.Fprintf(b, "  %8d  %s %s (%d shapes)\n", x.Transcripts, x.Tool, name, len(x.Fingerprints))
	}
}

// write prints a verdict. What is wrong is shown in the transcripts' own
// words, so it is redacted.
//
// Names of files and of unknown members come from transcripts, and are redacted too.
func (v *verdict) write(a *cli.App, asJSON bool) error {
	encoder, err := (&source.Privacy{Rules: &a.Rules}).Encoder()
	if err != nil {
		return err
	}
	for i := range v.Broken {
		for _, s := range []*string{&v.Broken[i].File, &v.Broken[i].What} {
			clean, _, failed := encoder.Scrubber.Scrub(core.TextField, []byte(*s))
			if failed != nil {
				return failed
			}
			*s = string(clean)
		}
	}
	for i := range v.Unseen {
		clean, _, failed := encoder.Scrubber.Scrub(core.TextField, []byte(v.Unseen[i].Name))
		if failed != nil {
			return failed
		}
		v.Unseen[i].Name = string(clean)
	}
	if asJSON {
		return a.Stdout.JSON(v)
	}
	var b strings.Builder
	for _, x := range v.Broken {
		visible.Fprintf(&b, "%s: %s\n", x.File, x.What)
	}
	visible.Fprintf(&b, "%d transcripts with %d records gave %d events and %d nodes\n", v.Transcripts, v.Records, v.Events, v.Nodes)
	if v.Databases > 0 {
		visible.Fprintf(&b, "%d databases of nodes were looked at\n", v.Databases)
	}
	if v.Malformed > 0 {
		visible.Fprintf(&b, "%d lines are no JSON; they are kept as they are\n", v.Malformed)
	}
	if len(v.Drift) > 0 {
		b.WriteString("records that no adapter knows, kept as they are:\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(v.Drift)) {
		visible.Fprintf(&b, "  %8d  %s\n", v.Drift[kind], kind)
	}
	v.writeShapes(&b)
	if v.Transcripts+v.Databases+len(v.Broken) == 0 {
		b.WriteString("nothing was checked\n")
	} else if len(v.Broken) == 0 {
		b.WriteString("every promise is kept\n")
	} else {
		visible.Fprintf(&b, "%d promises are not kept\n", len(v.Broken))
	}
	_, err = io.WriteString(a.Stdout.Text(), b.String())
	return err
}
