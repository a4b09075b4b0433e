// Command memscribe turns the transcripts of coding agents into typed nodes.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

func main() {
	os.Exit(run(os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		OS: runtime.GOOS, Getenv: os.Getenv, Environ: os.Environ, Home: os.UserHomeDir, Now: time.Now,
		SetMemoryLimit: debug.SetMemoryLimit, SetGCPercent: debug.SetGCPercent, SetMaxProcs: runtime.GOMAXPROCS,
	}))
}
