package doctor

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/smallfile"
)

// soon is the number of days before a deletion from which on it is a warning.
const soon = 7

// checkClock reports in how many days a tool deletes its oldest transcript, if that is known. A
// transcript that is deleted before it was read is lost for good; therefore seven days or less
// are a warning.
func (e *examination) checkClock(s Store) {
	if s.Tool == core.Codex {
		e.checkCompression(s)
	}
	days, why := cleanUp(s)
	if days == 0 {
		return
	}
	left := days - int(e.setup.Now().Sub(*s.Oldest).Hours()/24)
	l, advice := OK, ""
	switch {
	case left < 0:
		l, advice = Note, "it is overdue: the tool deletes it at its next start; 'memscribe watch --once' takes it in before"
	case left <= soon:
		l, advice = Doubt, "have watch run, or 'memscribe watch --once' now, before it is gone"
	}
	e.add("deletion", l, advice, "%s deletes transcripts after %d days (%s); the oldest has %d left", s.Tool, days, why, left)
}

// maxSettings is the size of the largest settings file that is read, in bytes.
const maxSettings = 4 << 20

// cleanUp returns after how many days a tool deletes transcripts, and which setting says so; 0
// if it never does, or if that is not known. The default of Claude Code and Gemini CLI is 30
// days. A settings file that cannot be read or parsed counts as one without the setting.
func cleanUp(s Store) (days int, why string) {
	const usual = 30
	read := func(v any) bool { // the settings lie in the folder of the tool, which the store is or is in
		for _, dir := range []string{s.Folder, filepath.Dir(s.Folder)} {
			if data, err := smallfile.Read(filepath.Join(dir, "settings.json"), maxSettings); err == nil {
				return json.Unmarshal(data, v) == nil
			}
		}
		return false
	}
	switch s.Tool { //nolint:exhaustive // of the others it is not known
	case core.ClaudeCode:
		var v struct {
			Days *int `json:"cleanupPeriodDays"`
		}
		if read(&v) && v.Days != nil {
			return *v.Days, "cleanupPeriodDays"
		}
		return usual, "its default; cleanupPeriodDays in its settings.json changes it"
	case core.Gemini:
		var v struct {
			General struct {
				Retention struct {
					Enabled *bool  `json:"enabled"`
					MaxAge  string `json:"maxAge"`
				} `json:"sessionRetention"`
			} `json:"general"`
		}
		if !read(&v) {
			return usual, "its default; general.sessionRetention changes it"
		}
		r := v.General.Retention
		if r.Enabled != nil && !*r.Enabled {
			return 0, ""
		}
		if n := 0; r.MaxAge != "" {
			if _, err := fmt.Sscanf(r.MaxAge, "%dd", &n); err == nil {
				return n, "general.sessionRetention.maxAge"
			}
		}
		return usual, "its default; general.sessionRetention changes it"
	}
	return 0, ""
}

// packAfter is the number of days without a write after which Codex compresses a rollout. Whether
// it does depends on the version and the settings.
const packAfter = 7

// checkCompression reports whether Codex compresses its transcripts. That changes nothing about
// what is read; the finding is for people who see .jsonl files disappear.
func (e *examination) checkCompression(s Store) {
	enabled, set := packing(s.Folder)
	next := "all of them are compressed"
	if s.oldestPlain != nil {
		switch left := packAfter - int(e.setup.Now().Sub(*s.oldestPlain).Hours()/24); {
		case left < 0:
			next = "the next is due"
		default:
			next = fmt.Sprintf("the next has %d days left", left)
		}
	}
	switch {
	case s.packed > 0:
		e.add("compression", OK, "", "codex compresses transcripts after %d days without a write: %d are .zst, %s; both are read", packAfter, s.packed, next)
	case set && !enabled:
		e.add("compression", OK, "", "codex compresses no transcripts: local_thread_store_compression is off in its config.toml")
	case set:
		e.add("compression", OK, "", "codex compresses transcripts after %d days without a write (its config.toml): none yet, %s; both are read", packAfter, next)
	default:
		e.add("compression", OK, "", "codex has compressed no transcripts; versions that do, after %d days without a write, change nothing: both are read", packAfter)
	}
}

// packing returns whether the settings of Codex enable compression, and whether they set it.
func packing(home string) (enabled, set bool) {
	data, err := smallfile.Read(filepath.Join(home, "config.toml"), maxSettings)
	if err != nil {
		return false, false
	}
	var v struct {
		Features struct {
			Compression *bool `toml:"local_thread_store_compression"`
		} `toml:"features"`
	}
	if toml.Unmarshal(data, &v) != nil || v.Features.Compression == nil {
		return false, false
	}
	return *v.Features.Compression, true
}
