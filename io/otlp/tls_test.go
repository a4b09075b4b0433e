package otlp_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/io/otlp"
)

// guarded is a token and a certificate of this machine, and what trusts it.
func guarded(t *testing.T, token string) (guard local.Guard, trust *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
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
	guard = local.Guard{TokenFile: filepath.Join(dir, "token"), CertFile: filepath.Join(dir, "cert"), KeyFile: filepath.Join(dir, "key")}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, text := range map[string][]byte{
		guard.TokenFile: []byte(token), guard.CertFile: cert, guard.KeyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return guard, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// TestBeyondThisMachine listens on every address, which it does with a token and
// TLS only, and takes telemetry by both protocols.
func TestBeyondThisMachine(t *testing.T) {
	const token = "a-token-of-this-test"
	guard, trust := guarded(t, token)
	noTLS := local.Guard{TokenFile: guard.TokenFile}
	if _, err := otlp.Listen(t.Context(), otlp.Options{HTTP: "0.0.0.0:0", Guard: noTLS}); err == nil || !strings.Contains(err.Error(), "needs TLS") {
		t.Errorf("without TLS: %v", err)
	}
	r := &rig{}
	receiver, err := otlp.Listen(t.Context(), otlp.Options{
		HTTP: "0.0.0.0:0", GRPC: "0.0.0.0:0", Guard: guard, Keep: r.keep, Scrub: scrub, Now: time.Now, Log: slog.New(slog.NewTextHandler(r, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- receiver.Run(ctx) }()
	web, rpc := receiver.Addresses()
	here := func(address string) string { return "127.0.0.1" + address[strings.LastIndexByte(address, ':'):] }

	transport := &http.Transport{TLSClientConfig: trust.Clone()}
	defer transport.CloseIdleConnections()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+here(web)+"/v1/logs", strings.NewReader(oneLog))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", kindJSON)
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := (&http.Client{Transport: transport}).Do(q)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("by HTTP: %v, %v", res, err)
	}
	res.Body.Close()
	conn, err := grpc.NewClient(here(rpc), grpc.WithTransportCredentials(credentials.NewTLS(trust)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := plogotlp.NewGRPCClient(conn).Export(metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token), someLogs("x")); err != nil {
		t.Errorf("by gRPC: %v", err)
	}
	if kept := r.kept(); len(kept) != 2 {
		t.Errorf("%d lines were kept", len(kept))
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
