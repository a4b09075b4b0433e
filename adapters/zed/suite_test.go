package zed_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/zed"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are conversations as the adapter gets them.
func samples() []adaptertest.Sample {
	all := []adaptertest.Sample{{Path: "x.zed.json", Data: `{"zed":"context","id":"x","text":"ab","messages":[{"start":1},{"start":0}]}`}}
	for _, doc := range []string{newest, middle, oldest} {
		all = append(all, adaptertest.Sample{Path: "x.zed.json", Data: `{"table":"thread","key":"a","folder_paths":"/a\n/b","folder_paths_order":"1,0","data":` + strings.ReplaceAll(doc, "\n", " ") + `}`})
	}
	return all
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, zed.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, zed.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, zed.Adapter{}, samples()...) }
