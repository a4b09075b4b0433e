package attack_test

import (
	"time"

	"github.com/memscribe/memscribe/testkit/attack"
)

// nested are archives in archives, and what is compressed and compressed once more.
func nested() []input {
	plain := []string{"ordinary words instead of bombs"}
	return []input{
		{
			name: "tar.zip", make: func(path string) error { return attack.TarInZip(path, 480_000_000) },
			args: []string{"replay"}, complains: []string{`:2: 4799999\d\d bytes, over the limit of 67108864`}, prints: append(around(), plain...),
		},
		{
			name: "layers.tar", make: func(path string) error { return attack.Layers(path, 40) },
			args: []string{"replay"}, complains: []string{`deep.jsonl.gz: 7 layers of packing: more than is sane`}, prints: plain,
		},
		{
			name: "windows.jsonl.zst", make: func(path string) error { return attack.Windows(path, 6, 200<<20) },
			args: []string{"parse"}, complains: []string{"window"}, long: true,
		},
		{
			name: "windows", make: func(path string) error { return attack.WindowsBeside(path, 6, 300<<20) },
			args: []string{"replay", "--jobs", "6"}, prints: around()[:1], long: true,
		},
		{
			name: "windows-watched", make: func(path string) error { return attack.WindowsBeside(path, 6, 300<<20) },
			args: []string{"watch", "--once", "--sink", "ndjson", "--out", "-", "--root"}, prints: around()[:1], long: true,
		},
		{
			name: "directory.zip.gz", make: func(path string) error { return attack.Directory(path, 3_000_000) },
			args: []string{"replay"}, complains: []string{"its directory takes more than 16777216 bytes: more than is sane"},
		},
		{
			name: "overlap.zip", make: func(path string) error { return attack.Overlap(path, 60_000, 40<<20) },
			args: []string{"replay"}, complains: []string{"its files take \\d+ bytes, and it has \\d+: more than is sane"}, processor: time.Second * 20,
		},
		{
			name: "zips.zip", make: func(path string) error { return attack.ZipsInZip(path, 4, 16, 2<<20) },
			args: []string{"replay"}, complains: []string{"more than is sane"}, long: true, processor: time.Minute,
		},
		{
			name: "hole.tar", make: func(path string) error { return attack.Hole(path, 8<<30-1) },
			args: []string{"replay"}, prints: plain,
		},
		{
			name: "broken.tar.gz", make: func(path string) error { return attack.BrokenFiles(path, 300_000) },
			args: []string{"replay"}, prints: plain, long: true,
		},
	}
}
