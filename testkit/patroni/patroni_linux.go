// Package patroni starts a real cluster for a test: three servers of PostgreSQL, which
// Patroni watches, and three of etcd, which agree on who leads.
//
// Everything is on loopback, in a folder of its own, and ends with the test.
package patroni

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// size is how many servers there are of each kind.
const size = 3

// Cluster is a cluster of a test.
type Cluster struct {
	t     testing.TB
	dir   string
	who   *syscall.Credential // runs the programs; nil is the user of the test
	bin   string              // programs of PostgreSQL
	etcds []string            // client addresses
	nodes []*node
}

// node is a server of PostgreSQL with the Patroni that watches it.
type node struct {
	name, rest, sql string // addresses
	data            string
	patroni         *program
	killed          bool
}

// program is one that runs.
type program struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
}

// kill kills a program, and waits until it is gone.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may be gone
	<-p.ended
}

// Start starts a cluster and returns when it has a leader and a standby that the leader
// waits for. Where its programs are not installed the test is skipped.
func Start(t testing.TB) *Cluster {
	t.Helper()
	c := &Cluster{t: t, bin: postgres()}
	for name, there := range map[string]bool{"patroni": installed("patroni"), "etcd": installed("etcd"), "postgres": c.bin != ""} {
		if !there {
			t.Skipf("there is no %s: install Patroni, etcd and PostgreSQL (Debian: apt-get install patroni etcd-server postgresql) to run this test", name)
		}
	}
	var err error
	if c.dir, err = os.MkdirTemp("", "pt"); err != nil { //nolint:usetesting // the path of a socket has 107 bytes at most
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	if os.Getuid() == 0 {
		c.beSomebody()
	}
	c.startEtcd()
	for i := range size {
		c.nodes = append(c.nodes, &node{name: fmt.Sprint("n", i), rest: free(t), sql: free(t), data: filepath.Join(c.dir, fmt.Sprint("data", i))})
		c.startNode(c.nodes[i])
	}
	c.until("a leader and a standby that it waits for", func(members []member) bool {
		return len(members) == size && roles(members, "leader") == 1 && roles(members, "sync_standby") >= 1
	})
	return c
}

// beSomebody has the programs run as the user postgres: none of them runs as root.
func (c *Cluster) beSomebody() {
	c.t.Helper()
	account, err := user.Lookup("postgres")
	if err != nil {
		c.t.Skip("PostgreSQL does not run as root, and there is no user postgres")
	}
	uid, _ := strconv.ParseUint(account.Uid, 10, 32)
	gid, _ := strconv.ParseUint(account.Gid, 10, 32)
	c.who = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chown(c.dir, int(uid), int(gid)); err != nil {
		c.t.Fatal(err)
	}
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// postgres is the folder of PostgreSQL's programs: where Debian puts it, or in the path.
func postgres() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) > 0 {
		return filepath.Dir(slices.Max(found))
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		return ""
	}
	return filepath.Dir(path)
}

// free is an address of this machine that nothing listens on.
func free(t testing.TB) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run starts a program, whose words go to a file of its name.
func (c *Cluster) run(name, path string, args ...string) *program {
	c.t.Helper()
	cmd := exec.CommandContext(context.Background(), path, args...) //nolint:gosec // programs that are installed
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "HOME="+c.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.who, Pdeathsig: syscall.SIGKILL}
	log, err := os.Create(filepath.Join(c.dir, name+".log"))
	if err == nil {
		cmd.Stdout, cmd.Stderr = log, log
		err = cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	p := &program{cmd, make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // its log says why
		_ = log.Close()
	}()
	c.t.Cleanup(p.kill)
	return p
}

// startEtcd starts the servers that agree on who leads. They are patient: a machine on
// which tests run has more to do than to answer them.
func (c *Cluster) startEtcd() {
	c.t.Helper()
	var peers, members []string
	for i := range size {
		c.etcds, peers = append(c.etcds, free(c.t)), append(peers, free(c.t))
		members = append(members, fmt.Sprintf("e%d=http://%s", i, peers[i]))
	}
	for i := range size {
		c.run(fmt.Sprint("etcd", i), "etcd", "--name", fmt.Sprint("e", i), "--data-dir", filepath.Join(c.dir, fmt.Sprint("etcd", i)),
			"--listen-client-urls", "http://"+c.etcds[i], "--advertise-client-urls", "http://"+c.etcds[i],
			"--listen-peer-urls", "http://"+peers[i], "--initial-advertise-peer-urls", "http://"+peers[i],
			"--initial-cluster", strings.Join(members, ","), "--heartbeat-interval", "500", "--election-timeout", "5000")
	}
}

// settings are those of a Patroni. What is acknowledged is at the leader and at a standby,
// and only such a standby becomes the next leader.
const settings = `
scope: memdb
name: %[1]s
restapi: {listen: %[2]q, connect_address: %[2]q}
etcd3: {hosts: [%[3]s]}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    postgresql: {use_pg_rewind: false, parameters: {max_connections: 100, fsync: "off"}}
  initdb: [encoding: UTF8, locale: C, auth: trust]
postgresql:
  listen: %[4]q
  connect_address: %[4]q
  data_dir: %[5]q
  bin_dir: %[6]q
  pgpass: %[8]q
  authentication:
    superuser: {username: postgres, password: none}
    replication: {username: replicator, password: none}
  pg_hba: [local all all trust, host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
  parameters: {unix_socket_directories: %[7]q}
`

func (c *Cluster) startNode(n *node) {
	c.t.Helper()
	file := filepath.Join(c.dir, n.name+".yml")
	text := fmt.Sprintf(settings, n.name, n.rest, strings.Join(c.etcds, ", "), n.sql, n.data, c.bin, c.dir, n.data+".pgpass")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil { //nolint:gosec // another user reads it; there is no secret in it
		c.t.Fatal(err)
	}
	n.patroni = c.run(n.name, "patroni", file)
}

// URL is where a database of the cluster is: whichever server leads.
func (c *Cluster) URL(database string) string {
	var hosts []string
	for _, n := range c.nodes {
		hosts = append(hosts, n.sql)
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/" + database + "?target_session_attrs=read-write&connect_timeout=5&sslmode=disable"
}

// member is a server as Patroni sees it.
type member struct {
	Name, Role, State string
}

func roles(members []member, role string) (count int) {
	for _, m := range members {
		if m.Role == role && (m.State == "running" || m.State == "streaming") {
			count++
		}
	}
	return count
}

// members asks whichever Patroni answers.
func (c *Cluster) members(ctx context.Context) []member {
	for _, n := range c.nodes {
		asking, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(asking, http.MethodGet, "http://"+n.rest+"/cluster", nil)
		if err != nil {
			c.t.Fatal(err)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			continue
		}
		defer a.Body.Close()
		var said struct{ Members []member }
		if json.NewDecoder(a.Body).Decode(&said) == nil {
			return said.Members
		}
	}
	return nil
}

// until looks once a second until the cluster is as it shall be.
func (c *Cluster) until(what string, is func([]member) bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 3*time.Minute)
	defer cancel()
	every := time.NewTicker(time.Second)
	defer every.Stop()
	var members []member
	for {
		if members = c.members(ctx); is(members) {
			return
		}
		for _, n := range c.nodes {
			select {
			case <-n.patroni.ended:
				if !n.killed {
					c.t.Fatalf("the Patroni of %s has ended\n%s", n.name, c.logs())
				}
			default:
			}
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			c.t.Fatalf("the cluster never had %s: %+v\n%s", what, members, c.logs())
		}
	}
}

// logs are the last words of all programs.
func (c *Cluster) logs() string {
	var all strings.Builder
	names, _ := filepath.Glob(filepath.Join(c.dir, "*.log"))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		fmt.Fprintf(&all, "== %s\n%s\n", filepath.Base(name), text[max(0, len(text)-2000):])
	}
	return all.String()
}

// KillLeader kills the server that leads, and its Patroni, as a machine that fails does:
// without a word. It returns when another one leads.
func (c *Cluster) KillLeader() {
	c.t.Helper()
	var was string
	c.until("a leader", func(members []member) bool {
		for _, m := range members {
			if m.Role == "leader" {
				was = m.Name
			}
		}
		return was != ""
	})
	for _, n := range c.nodes {
		if n.name == was {
			n.killed = true
			n.patroni.kill()
			n.kill()
		}
	}
	c.until("another leader", func(members []member) bool {
		return slices.ContainsFunc(members, func(m member) bool { return m.Role == "leader" && m.Name != was && m.State == "running" })
	})
	c.t.Logf("%s led, and was killed", was)
}

// kill kills PostgreSQL, if it runs.
func (n *node) kill() {
	text, err := os.ReadFile(filepath.Join(n.data, "postmaster.pid"))
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if pid, err := strconv.Atoi(first); err == nil && pid > 1 {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
	}
}

// end ends everything. A Patroni that is left would start its server again.
func (c *Cluster) end() {
	for _, n := range c.nodes {
		if n.patroni != nil {
			n.patroni.kill()
		}
		n.kill()
	}
	if err := os.RemoveAll(c.dir); err != nil {
		c.t.Log(err) // what was killed may still be on its way out
	}
}
