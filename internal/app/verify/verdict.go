package verify

import (
	"cmp"
	"slices"
	"sort"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Verdict is the result of [Run]. Its lists are sorted and never nil. It is what memscribe
// verify prints with --json.
type Verdict struct {
	Transcripts int              `json:"transcripts"`
	Databases   int              `json:"databases"`
	Records     int64            `json:"records"`
	Events      int64            `json:"events"`
	Nodes       int              `json:"nodes"`
	Malformed   int64            `json:"malformed"` // lines that are no JSON
	Broken      []Broken         `json:"broken"`
	Drift       map[string]int64 `json:"drift"` // records that no adapter knows, by tool and type
	// kinds and members of objects, and versions of tools, that are not known
	Unseen   []Unseen  `json:"unseen"`
	Variants []Variant `json:"variants"`
}

// Broken is a promise that a file does not keep.
type Broken struct {
	File string `json:"file"`
	What string `json:"what"`
}

// Unseen is something in a tool's records that is not known.
type Unseen struct {
	Tool  core.Tool `json:"tool"`
	What  string    `json:"what"`
	Name  string    `json:"name"`
	Count int64     `json:"count"`
}

// Variant is a variant of a tool's format and the number of transcripts that have it.
// Transcripts with one fingerprint have the same kinds of records with the same members.
type Variant struct {
	Tool         core.Tool `json:"tool"`
	Variant      string    `json:"variant"` // "": none that is known
	Transcripts  int       `json:"transcripts"`
	Fingerprints []string  `json:"fingerprints"`
}

// newVerdict returns an empty verdict.
func newVerdict() *Verdict {
	return &Verdict{Drift: map[string]int64{}, Broken: []Broken{}, Unseen: []Unseen{}, Variants: []Variant{}}
}

// shape counts what is unknown of a transcript's records, and its variant of the format.
func (v *Verdict) shape(s *trial.Stream) {
	tool := s.Input.Adapter.Tool()
	for u, n := range s.Stats.Unseen { // order does not matter: counts, sorted below
		i := slices.IndexFunc(v.Unseen, func(x Unseen) bool { return x.Tool == tool && x.What == u.What && x.Name == u.Name })
		if i < 0 {
			v.Unseen, i = append(v.Unseen, Unseen{Tool: tool, What: u.What, Name: u.Name}), len(v.Unseen)
		}
		v.Unseen[i].Count += n
	}
	sort.SliceStable(v.Unseen, func(i, j int) bool {
		a, b := &v.Unseen[i], &v.Unseen[j]
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name)) < 0
	})
	if s.Fingerprint == "" {
		return
	}
	i := slices.IndexFunc(v.Variants, func(x Variant) bool { return x.Tool == tool && x.Variant == s.Variant })
	if i < 0 {
		v.Variants, i = append(v.Variants, Variant{Tool: tool, Variant: s.Variant}), len(v.Variants)
	}
	x := &v.Variants[i]
	x.Transcripts++
	if at, found := slices.BinarySearch(x.Fingerprints, s.Fingerprint); !found {
		x.Fingerprints = slices.Insert(x.Fingerprints, at, s.Fingerprint)
	}
	sort.SliceStable(v.Variants, func(i, j int) bool {
		a, b := &v.Variants[i], &v.Variants[j]
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Variant, b.Variant)) < 0
	})
}

// redact redacts the texts of a verdict that come from transcripts: what is wrong, and the
// names of files and of unknown members.
func (v *Verdict) redact(s *setup.Setup) error {
	encoder, err := (&source.Privacy{Rules: &s.Rules}).Encoder()
	if err != nil {
		return err
	}
	clean := func(text *string) error {
		b, _, err := encoder.Scrubber.Scrub(core.TextField, []byte(*text))
		if err == nil {
			*text = string(b)
		}
		return err
	}
	for i := range v.Broken {
		for _, text := range []*string{&v.Broken[i].File, &v.Broken[i].What} {
			if err := clean(text); err != nil {
				return err
			}
		}
	}
	for i := range v.Unseen {
		if err := clean(&v.Unseen[i].Name); err != nil {
			return err
		}
	}
	return nil
}
