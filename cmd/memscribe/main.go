// Command memscribe turns the transcripts of coding agents into typed nodes.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// main runs the program with the real environment. Everything else takes it as an
// argument, so that tests can give another one.
func main() {
	os.Exit(run(os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		OS: runtime.GOOS, Getenv: os.Getenv, Environ: os.Environ, Home: os.UserHomeDir, Now: time.Now,
		SetMemoryLimit: debug.SetMemoryLimit, SetGCPercent: debug.SetGCPercent, SetMaxProcs: runtime.GOMAXPROCS,
	}))
}
