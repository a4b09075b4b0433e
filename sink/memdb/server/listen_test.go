package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/server"
)

func TestAddresses(t *testing.T) {
	dir := t.TempDir()
	token, short := filepath.Join(dir, "token"), filepath.Join(dir, "short")
	for name, text := range map[string]string{token: "0123456789abcdef\n", short: "secret\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		l    server.Listening
		want string // of the error
	}{
		{"loopback", server.Listening{Address: "127.0.0.1:0"}, ""},
		{"loopback 6", server.Listening{Address: "[::1]:0"}, ""},
		{"by name", server.Listening{Address: "localhost:0"}, ""},
		{"everywhere", server.Listening{Address: ":0"}, "needs a token"},
		{"everywhere 4", server.Listening{Address: "0.0.0.0:0"}, "needs a token"},
		{"another name", server.Listening{Address: "host.example:0"}, "needs a token"},
		{"insecure only", server.Listening{Address: "0.0.0.0:0", Insecure: true}, "needs a token"},
		{"token only", server.Listening{Address: "0.0.0.0:0", TokenFile: token}, "needs TLS"},
		{"token and TLS", server.Listening{Address: "0.0.0.0:0", TokenFile: token, CertFile: "c", KeyFile: "k"}, ""},
		{"token, insecure", server.Listening{Address: "0.0.0.0:0", TokenFile: token, Insecure: true}, ""},
		{"short token", server.Listening{Address: "127.0.0.1:0", TokenFile: short}, "at least 16"},
		{"no token there", server.Listening{Address: "127.0.0.1:0", TokenFile: filepath.Join(dir, "none")}, "read token"},
		{"half a certificate", server.Listening{Address: "127.0.0.1:0", CertFile: "c"}, "and its key"},
		{"no port", server.Listening{Address: "127.0.0.1"}, "read address"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.l.Check()
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// certificate makes one for this machine.
func certificate(t *testing.T) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(certFile, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return certFile, keyFile, pool
}

// TestRun serves over TLS, is told to stop while a call is under way, finishes
// it, and signs what was written.
func TestRun(t *testing.T) {
	cert, key, pool := certificate(t)
	memories := openStore(t)
	var log lines
	s := server.New(server.Options{Store: memories, Version: "test", Now: time.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(&log, nil))})
	l := server.Listening{Address: "127.0.0.1:0", CertFile: cert, KeyFile: key}
	listener, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	transport := &http.Transport{ExpectContinueTimeout: time.Minute, TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	body, send := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "https://"+listener.Addr().String()+"/v1/namespaces/team", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Expect", "100-continue") // so that nothing is sent before the server reads
	answered := make(chan int, 1)
	go func() {
		res, err := client.Do(req)
		if err != nil {
			t.Error(err)
			close(answered)
			return
		}
		answered <- res.StatusCode
		res.Body.Close()
	}()
	if _, err := send.Write([]byte("{")); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := send.Write([]byte("}")); err != nil {
		t.Fatal(err)
	}
	if err := send.Close(); err != nil {
		t.Fatal(err)
	}
	status := <-answered
	if err := <-ended; err != nil {
		t.Error(err)
	}
	head, err := memories.Head(t.Context())
	if err != nil || status != http.StatusCreated || head.Length != 1 {
		t.Errorf("status %d, head %v, %v", status, head, err)
	}
	report, err := memories.Verify(t.Context())
	if err != nil || !report.OK || report.Checkpoint != head.Length {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}
