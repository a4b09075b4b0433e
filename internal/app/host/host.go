// Package host describes the machine and the user that a command runs for: the
// system, the environment, the clock, and the folders that follow from them.
//
// Nothing below internal/app asks the process for any of this, so that a test can run
// a command in a home, on a system and at a time of its own.
//
// A [Machine] has the values; its methods compute the folders of the program from them:
//
//	            Linux                        macOS                         Windows
//	data        $XDG_DATA_HOME/memscribe     Library/Application Support   %LOCALAPPDATA%\memscribe
//	state       $XDG_STATE_HOME/memscribe    as data                       as data
//	settings    $XDG_CONFIG_HOME/memscribe   as data                       %APPDATA%\memscribe
//
// Files that hold transcripts are private: [Machine.Private] removes permissions of other users
// and refuses what it cannot make private.
//
// A test's machine, which shares nothing with the user's:
//
//	m := host.Machine{
//	    OS:     "linux",
//	    Home:   func() (string, error) { return dir, nil },
//	    Getenv: func(string) string { return "" },
//	    Now:    func() time.Time { return start },
//	}
package host

import (
	"time"

	"github.com/memscribe/memscribe/adapters/described"
)

// Machine is what a command takes from the machine around it. The program fills it from
// its process, a test with values of its own. It is read only once a command runs, and
// may be copied.
type Machine struct {
	OS      string                 // as GOOS names it
	Getenv  func(string) string    // a variable of the environment; nil: there is none
	Environ func() []string        // all variables, as "NAME=value"
	Home    func() (string, error) // the home folder of the user
	Now     func() time.Time       // the clock

	// The garbage collector and the processors belong to the whole process. These are
	// [debug.SetMemoryLimit], [debug.SetGCPercent], [debug.FreeOSMemory] and
	// [runtime.GOMAXPROCS], or nil where a command is one thing among others in its process
	// and must not tune it.
	SetMemoryLimit func(int64) int64
	FreeMemory     func()
	SetGCPercent   func(int) int
	SetMaxProcs    func(int) int

	// Own are the adapters of tools that the settings describe ([[tools]]). They are
	// empty until the settings were read.
	Own []described.Adapter
}
