package local

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
)

// Guard is what protects a server. It is the same for every server of the program; flags fill it in.
type Guard struct {
	TokenFile string
	CertFile  string // of TLS, with KeyFile
	KeyFile   string
	Insecure  bool // without TLS beyond this machine, as behind a proxy that has it
}

// minToken is the least length of a token in characters, as shorter ones can be guessed.
// maxToken bounds what is read of a token file, in bytes.
const (
	minToken = 16
	maxToken = 4096
)

// ErrOpen says that others can reach an address, and that it lacks what keeps them
// out.
var ErrOpen = errors.New("others can reach this address")

// Check refuses addresses that would be open to others: beyond loopback there must
// be a token, and TLS unless --insecure is given. hasTokens says that there are
// tokens beside the file. It returns the token of the file; "" if there is none.
func (g *Guard) Check(hasTokens bool, addresses ...string) (token string, err error) {
	if (g.CertFile == "") != (g.KeyFile == "") {
		return "", errors.New("TLS needs a certificate and its key")
	}
	if g.TokenFile != "" {
		if token, err = ReadToken(g.TokenFile); err != nil {
			return "", err
		}
	}
	for _, address := range addresses {
		host, _, err := net.SplitHostPort(address)
		switch {
		case err != nil:
			return "", fmt.Errorf("read address %s: it is HOST:PORT: %w", address, err)
		case IsLoopback(host):
		case token == "" && !hasTokens:
			return "", fmt.Errorf("listen on %s: %w; that needs a token", address, ErrOpen)
		case g.CertFile == "" && !g.Insecure:
			return "", fmt.Errorf("listen on %s: %w; that needs TLS", address, ErrOpen)
		}
	}
	return token, nil
}

// TLS reads the certificate; nil if there is none.
func (g *Guard) TLS(protocols ...string) (*tls.Config, error) {
	if g.CertFile == "" {
		return nil, nil //nolint:nilnil // that is no error
	}
	cert, err := tls.LoadX509KeyPair(g.CertFile, g.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, NextProtos: protocols}, nil
}

// ReadToken reads a token: one word of at least 16 characters, from a file that
// only its owner may read. (On Windows the rights are those of the folder.)
func ReadToken(name string) (token string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	info, err := f.Stat()
	text, err2 := io.ReadAll(io.LimitReader(f, maxToken))
	if err = errors.Join(err, err2, f.Close()); err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	if mode := info.Mode(); runtime.GOOS != "windows" && mode.IsRegular() && mode.Perm()&0o077 != 0 {
		return "", fmt.Errorf("read token %s: others may read or write it (its mode is %#o); chmod 600 keeps it yours", name, mode.Perm())
	}
	token = strings.TrimSpace(string(text))
	if len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("read token %s: a token is one word of at least %d characters", name, minToken)
	}
	return token, nil
}
