package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/testkit/size"
)

// python returns what runs Python with a package from PyPI. Where that cannot be had the
// test is skipped.
func python(t *testing.T, pkg string) (run func(args ...string) (said string, err error)) {
	t.Helper()
	if testing.Short() {
		t.Skip("installs " + pkg)
	}
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3: install Python with pip to run this test")
	}
	dir := installed(t, program, pkg)
	return func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+dir+string(os.PathListSeparator)+"client", "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
}

// installed returns the folder that a package is installed in. It is kept in the cache of the
// user, for each version of Python, because installing takes longer than the test.
func installed(t *testing.T, program, pkg string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	tag, err := exec.CommandContext(t.Context(), program, "-c", "import sys; print(sys.implementation.cache_tag)").Output()
	if err != nil {
		t.Skipf("python3 does not say which it is, so this test is skipped: %v", err)
	}
	dir := filepath.Join(cache, "memscribe-ci", strings.TrimSpace(string(tag)), pkg)
	if _, err = os.Stat(dir); err == nil {
		return dir
	}
	if err = os.MkdirAll(filepath.Dir(dir), 0o700); err != nil { // the home may be read-only
		dir = filepath.Join(t.TempDir(), pkg)
	}
	whole, err := os.MkdirTemp(filepath.Dir(dir), "new-") //nolint:usetesting // it becomes dir, and may not cross file systems
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(whole)
	install := exec.CommandContext(t.Context(), program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", whole, pkg)
	if said, err := install.CombinedOutput(); err != nil {
		t.Skipf("pip cannot install %s, so this test is skipped: %v\n%s", pkg, err, said)
	}
	if err = os.Rename(whole, dir); err != nil { // another run may have been quicker
		if _, err = os.Stat(dir); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPythonByGRPC makes a client of the protos, as docs/grpc.md says, and has it
// write, search and watch.
func TestPythonByGRPC(t *testing.T) {
	size.NeedsNoDetector(t) // the client calls one after another
	interpret := python(t, "grpcio-tools==1.82.1")
	client(t, interpret, "grpc_client.py",
		"-m", "grpc_tools.protoc", "-I", "docs/proto", "--python_out=client", "--grpc_python_out=client", "memscribe/memory/v1/memory.proto")
}

// TestPythonByOpenAPI makes a client of the OpenAPI document, and has it write and
// search.
func TestPythonByOpenAPI(t *testing.T) {
	size.NeedsNoDetector(t) // the client calls one after another
	interpret := python(t, "openapi-python-client==0.29.0")
	client(t, interpret, "openapi_client.py",
		"-m", "openapi_python_client", "generate", "--path", "docs/api/memdb-v1.yaml", "--meta", "none", "--output-path", "client/memdb")
}

// client makes a client in a folder that has the documents, and runs a script with it
// against a server.
func client(t *testing.T, interpret func(args ...string) (string, error), script string, generate ...string) {
	t.Helper()
	address, _, _ := run(t)
	putNamespace(t, address, "team", "")
	docs, err := filepath.Abs("../../../docs")
	if err != nil {
		t.Fatal(err)
	}
	script, err = filepath.Abs(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"proto/memscribe/memory/v1/memory.proto", "api/memdb-v1.yaml"} {
		text, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, "docs", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("client", 0o700); err != nil {
		t.Fatal(err)
	}
	if said, err := interpret(generate...); err != nil {
		t.Fatalf("make the client: %v\n%s", err, said)
	}
	if said, err := interpret(script, address); err != nil || strings.TrimSpace(said) != "good" {
		t.Errorf("%v\n%s", err, said)
	}
}
