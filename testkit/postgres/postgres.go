// Package postgres starts a real PostgreSQL for a test, on a socket and in a folder
// of its own.
package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL of a test. It ends with the test.
type Server struct {
	t        testing.TB
	dir      string
	settings string       // on the command line
	made     atomic.Int64 // databases
}

// Start starts a server, with settings of its own, as "fsync=on", behind those of all
// tests. Where its programs are not installed the test is skipped.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := place(t, settings)
	s.run("initdb", "-D", s.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
	s.Run()
	return s
}

// place makes the folder of a server.
func place(t testing.TB, settings []string) *Server {
	t.Helper()
	if program("initdb") == "" {
		t.Skip("there is no initdb: install PostgreSQL (Debian: apt-get install postgresql) to run this test")
	}
	if os.Getuid() == 0 && account() == nil {
		t.Skip("PostgreSQL does not run as root, and there is no user postgres")
	}
	// A socket's path is short: the folder of the test may not be.
	dir, err := os.MkdirTemp("", "pg") //nolint:usetesting // the path of a socket has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, dir: dir}
	for _, one := range append([]string{"listen_addresses=''", "fsync=off", "max_connections=200", "unix_socket_directories=" + dir}, settings...) {
		s.settings += "-c " + one + " "
	}
	t.Cleanup(func() {
		s.Stop()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if a := account(); os.Getuid() == 0 {
		uid, _ := strconv.Atoi(a.Uid)
		gid, _ := strconv.Atoi(a.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Standby starts a server that follows this one, and has this one wait for it: what is
// acknowledged from now on is at both.
func (s *Server) Standby() *Server {
	s.t.Helper()
	to := place(s.t, nil)
	to.run("pg_basebackup", "-D", to.data(), "-h", s.dir, "-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync")
	to.Run()
	s.Exec("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
	s.Exec("postgres", "SELECT pg_reload_conf()")
	s.Exec("postgres", "CREATE DATABASE followed") // comes back when both have it
	return to
}

// Promote makes a standby take the place of the server that it follows.
func (s *Server) Promote() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "promote")
}

// Either is where a database is that this server has, or the other one: whichever takes
// writes.
func (s *Server) Either(other *Server, database string) string {
	return "postgres://postgres@/" + database + "?host=" + s.dir + "," + other.dir + "&target_session_attrs=read-write&connect_timeout=5"
}

func account() *user.User {
	a, err := user.Lookup("postgres")
	if err != nil {
		return nil
	}
	return a
}

// program finds a program of PostgreSQL: in the path, or where Debian puts it.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	args = append([]string{program(name)}, args...)
	if os.Getuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...) //nolint:gosec // programs of PostgreSQL
	cmd.Dir = s.dir
	return cmd
}

func (s *Server) run(name string, args ...string) {
	s.t.Helper()
	if said, err := s.command(name, args...).CombinedOutput(); err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, said)
	}
}

// Run starts the server again, after [Server.Stop] or [Server.Kill]. It returns
// when the server answers.
func (s *Server) Run() {
	s.t.Helper()
	// What a killed server has left behind may still be on its way out.
	var said []byte
	for range 50 {
		var err error
		cmd := s.command("pg_ctl", "-D", s.data(), "-o", s.settings, "-l", filepath.Join(s.dir, "log"), "-w", "-t", "60", "start")
		if said, err = cmd.CombinedOutput(); err == nil {
			return
		}
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	s.t.Fatalf("PostgreSQL does not start: %s\n%s", said, log)
}

// Stop stops the server at once. Stopping twice is safe.
func (s *Server) Stop() {
	if _, err := os.Stat(filepath.Join(s.data(), "postmaster.pid")); err == nil {
		_ = s.command("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop").Run() // it may be gone already
	}
}

// Kill kills the server as a machine that fails does: without a word.
func (s *Server) Kill() {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		s.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// URL is where a database of the server is.
func (s *Server) URL(database string) string {
	return "postgres://postgres@/" + database + "?host=" + s.dir + "&connect_timeout=5"
}

// Database makes an empty database and returns where it is.
func (s *Server) Database() string {
	s.t.Helper()
	name := fmt.Sprintf("test_%d", s.made.Add(1))
	s.Exec("postgres", "CREATE DATABASE "+name)
	return s.URL(name)
}

// Exec runs statements in a database, by its name.
func (s *Server) Exec(database, statements string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statements); err != nil {
		s.t.Fatalf("%s: %v", statements, err)
	}
}
