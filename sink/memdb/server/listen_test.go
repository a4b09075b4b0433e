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

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/sink/memdb/server"
)

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
	l := server.Listening{Address: "127.0.0.1:0", Guard: local.Guard{CertFile: cert, KeyFile: key}}
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

// TestSlowClientsAtTheEnd has a client that never sends the rest of its body when the server is told
// to stop: the server ends without an error, and what was written is signed.
func TestSlowClientsAtTheEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as long as a server waits for its clients")
	}
	t.Parallel()
	kept := openStore(t)
	var log lines
	s := server.New(server.Options{Store: kept, Version: "test", Now: time.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(&log, nil))})
	listener, err := (&server.Listening{Address: "127.0.0.1:0"}).Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	p := &peer{t: t, base: "http://" + listener.Addr().String(), client: http.DefaultClient, header: http.Header{}, undocumented: true}
	p.want("PUT", "/v1/namespaces/team", `{}`, http.StatusCreated)
	p.slowly()
	p.want("POST", memories, `{"id":"a","kind":"note","content":"x"}`, http.StatusOK)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	report, err := kept.Verify(t.Context())
	if err != nil || !report.OK || report.Checkpoint != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	if !strings.Contains(log.text(), "closed connections that did not end") {
		t.Error(log.text())
	}
}
