// Package daemon writes the service definitions of the program: a systemd user unit, a launchd
// agent or a Windows service.
//
// The service runs memscribe watch as the user, with low priority. It is restarted after a
// failure, but not after exit code 2 (wrong usage) or 3 (a database that is not what it should
// be): these need a person.
//
//	Linux    ~/.config/systemd/user/memscribe.service    written here, then systemctl --user
//	macOS    ~/Library/LaunchAgents/memscribe.plist      through the library, from our text
//	Windows  a service                                   through the library
//
// On Linux the library is avoided: it searches the path for programs at every start of the
// process, which would slow down hooks.
package daemon

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Name is what the service is called everywhere.
const Name = "memscribe"

// Unit describes the service, for every service manager alike. Texts with a line end, a NUL or
// "{{" are refused, as they could change the meaning of a unit.
type Unit struct {
	Program string   // an absolute path
	Args    []string // of it
	Log     string   // where launchd puts what it says; systemd has its journal
}

// check returns an error for a text that a service description cannot contain: one with a new
// line, a NUL, or the beginning of a template of the library for other systems.
func (u Unit) check() error {
	for _, s := range append([]string{u.Program, u.Log}, u.Args...) {
		if strings.ContainsAny(s, "\n\r\x00") || strings.Contains(s, "{{") {
			return fmt.Errorf("describe service: %q cannot stand in a service's description", s)
		}
	}
	return nil
}

// Systemd returns a unit for a user's own systemd (systemd.unit(5), systemd.exec(5)). It has
// the restrictions that a user's manager can impose; it closes off no folders, since the
// program must read those of every tool.
func (u Unit) Systemd() (string, error) {
	if err := u.check(); err != nil {
		return "", err
	}
	command := []string{quoteSystemd(u.Program)}
	for _, arg := range u.Args {
		command = append(command, quoteSystemd(arg))
	}
	return `[Unit]
Description=Memscribe: keep what coding agents write down
Documentation=https://github.com/memscribe/memscribe

[Service]
Type=simple
ExecStart=` + strings.Join(command, " ") + `
Restart=always
RestartSec=5
# Wrong usage or settings, and a database that somebody has to look at, do not
# heal by starting again.
RestartPreventExitStatus=2 3
TimeoutStopSec=10
UMask=0077
# Quiet beside the agents.
Nice=10
IOSchedulingClass=idle
# It starts no program, needs no more rights, and speaks only over
# loopback and the journal.
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`, nil
}

// quoteSystemd quotes a word of a command line (systemd.service(5)): systemd would expand % and
// $ in it.
func quoteSystemd(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(s) + `"`
}

// Launchd returns a launch agent (launchd.plist(5)).
func (u Unit) Launchd() (string, error) {
	if err := u.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + Name + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, arg := range append([]string{u.Program}, u.Args...) {
		b.WriteString("\t\t<string>" + escapeXML(arg) + "</string>\n")
	}
	b.WriteString("\t</array>\n")
	for _, key := range []string{"RunAtLoad", "KeepAlive"} {
		b.WriteString("\t<key>" + key + "</key>\n\t<true/>\n")
	}
	b.WriteString("\t<key>ProcessType</key>\n\t<string>Background</string>\n\t<key>Umask</key>\n\t<integer>63</integer>\n")
	for _, key := range []string{"StandardOutPath", "StandardErrorPath"} {
		b.WriteString("\t<key>" + key + "</key>\n\t<string>" + escapeXML(u.Log) + "</string>\n")
	}
	b.WriteString("</dict>\n</plist>\n")
	return b.String(), nil
}

// escapeXML returns s as XML text.
func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
