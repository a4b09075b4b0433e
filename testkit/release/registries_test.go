package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// registries installs what is made for npm and PyPI from the files, without network.
func registries(t *testing.T, dist string) {
	cpu, wheel := "x64", "manylinux_2_17_x86_64.musllinux_1_1_x86_64"
	if runtime.GOARCH == "arm64" {
		cpu, wheel = "arm64", "manylinux_2_17_aarch64.musllinux_1_1_aarch64"
	}
	t.Run("npm", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip("npm is not here")
		}
		dir := t.TempDir()
		env := []string{"HOME=" + dir, "npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_ignore_scripts=true"}
		named := func(name string) string { return filepath.Join(dist, name+"-"+version+".tgz") }
		run(t, dir, env, "npm", "install", "--prefix", dir, named("memscribe-npm"), named("memscribe-npm-linux-"+cpu))
		program := filepath.Join(dir, "node_modules/.bin/memscribe")
		works(t, program)
		if out, err := tried(t, dir, env, program, "show", "none"); err == nil {
			t.Errorf("npm's memscribe ends well where the program does not:\n%s", out)
		}
		if err := os.RemoveAll(filepath.Join(dir, "node_modules/@memscribe")); err != nil {
			t.Fatal(err)
		}
		if out, err := tried(t, dir, env, program, "demo"); err == nil || !strings.Contains(out, "is not installed") {
			t.Errorf("without the package of the system: %v\n%s", err, out)
		}
	})
	t.Run("wheel", func(t *testing.T) {
		dir := t.TempDir()
		if out, err := tried(t, dir, nil, "python3", "-m", "venv", "env"); err != nil {
			t.Skipf("python3 makes no environment: %v: %s", err, out)
		}
		pip := filepath.Join(dir, "env/bin/pip")
		run(t, dir, nil, pip, "install", "--no-index", "--disable-pip-version-check", filepath.Join(dist, "memscribe-"+version+"-py3-none-"+wheel+".whl"))
		works(t, filepath.Join(dir, "env/bin/memscribe"))
		run(t, dir, nil, pip, "uninstall", "--yes", "memscribe")
	})
}
