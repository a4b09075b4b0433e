// Command memscribe turns the transcripts of coding agents into typed nodes.
package main

import (
	"os"
	"runtime"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		os: runtime.GOOS, getenv: os.Getenv, environ: os.Environ, home: os.UserHomeDir, now: time.Now,
	}))
}
