package exchange_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/exchange"
	"github.com/memscribe/memscribe/testkit/size"
)

// bucketAt is a bucket of a server that answers as it is told.
func bucketAt(t *testing.T, answer http.HandlerFunc) *exchange.Bucket {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	env := map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "never shown"}
	b, err := exchange.ParseBucket("s3://b/a folder?endpoint="+server.URL, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBucketPages reads a list of three pages, with names that XML cannot hold.
func TestBucketPages(t *testing.T) {
	pages := map[string]string{
		"":      `<ListBucketResult><EncodingType>url</EncodingType><NextContinuationToken>a +/=</NextContinuationToken><Contents><Key>a+folder/memscribe-sync-v1/x%0Ay</Key></Contents></ListBucketResult>`,
		"a +/=": `<ListBucketResult><EncodingType>url</EncodingType><NextContinuationToken>3</NextContinuationToken></ListBucketResult>`,
		"3":     `<ListBucketResult><Contents><Key>a folder/memscribe-sync-v1/1%20+</Key></Contents></ListBucketResult>`,
	}
	b := bucketAt(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.URL.Query().Get("prefix"); r.URL.Path != "/b/" || got != "a folder/memscribe-sync-v1/" {
			t.Errorf("asked for %s of %q", r.URL.Path, got)
		}
		_, _ = io.WriteString(w, pages[r.URL.Query().Get("continuation-token")])
	})
	if names, err := b.List(t.Context()); err != nil || !slices.Equal(names, []string{"x\ny", "1%20+"}) {
		t.Errorf("%q, %v", names, err)
	}
}

// TestBucketSaysWhere has a bucket that is in another region than it is asked for in.
func TestBucketSaysWhere(t *testing.T) {
	var asked []string
	b := bucketAt(t, func(w http.ResponseWriter, r *http.Request) {
		scope := strings.Split(r.Header.Get("Authorization"), "/")[2]
		if asked = append(asked, scope); scope != "eu-west-3" {
			w.Header().Set("X-Amz-Bucket-Region", "eu-west-3")
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusMovedPermanently)
		}
	})
	for range 2 {
		if err := b.Write(t.Context(), "m/1", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(asked, []string{"us-east-1", "eu-west-3", "eu-west-3"}) {
		t.Errorf("asked in %q", asked)
	}
}

// TestBucketFails has servers that do not do what they are asked, or not at once.
func TestBucketFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request, nth int)
		want   string // of the error; none if it is empty
		times  int    // that it is asked
	}{
		{"busy", func(w http.ResponseWriter, _ *http.Request, nth int) {
			if nth < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}, "", 3},
		{"hangs up", func(w http.ResponseWriter, _ *http.Request, nth int) {
			if nth < 3 {
				w.Header().Set("Content-Length", "7")
				panic(http.ErrAbortHandler)
			}
		}, "", 3},
		{"breaks off", func(w http.ResponseWriter, _ *http.Request, nth int) {
			if nth < 3 {
				w.Header().Set("Content-Length", "7")
				_, _ = io.WriteString(w, "x")
			}
		}, "", 3},
		{"refuses", func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>You may not.</Message></Error>")
		}, "read shared file m/1: the server answers 403 AccessDenied: You may not.", 1},
		{"gives no reason", func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "<Error")
		}, "read shared file m/1: the server answers 404 Not Found: it gives no reason", 1},
		{"sends on", func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, "the server answers 307 Temporary Redirect", 1},
		{"is without a region", func(w http.ResponseWriter, _ *http.Request, nth int) {
			w.Header().Set("X-Amz-Bucket-Region", fmt.Sprint("r", nth))
			w.WriteHeader(http.StatusBadRequest)
		}, "the server answers 400", 5},
		{"is too large", func(w http.ResponseWriter, _ *http.Request, _ int) {
			_, _ = io.WriteString(w, strings.Repeat("x", 11))
		}, "it has more than 10 bytes", 1},
		{"has endless headers", func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		}, "server response headers exceeded", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nth := 0
			b := bucketAt(t, func(w http.ResponseWriter, r *http.Request) {
				nth++
				tt.answer(w, r, nth)
			})
			switch _, err := b.Read(t.Context(), "m/1", 10); {
			case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			case err != nil && strings.Contains(err.Error(), "never shown"):
				t.Error(err)
			case nth != tt.times:
				t.Errorf("asked %d times, want %d", nth, tt.times)
			}
		})
	}
}

// TestBucketLists has servers whose lists are not lists.
func TestBucketLists(t *testing.T) {
	size.NeedsNoDetector(t)
	for name, tt := range map[string]struct{ text, want string }{
		"no XML":       {"<ListBucketResult><Contents>", "look through bucket b: its list: XML syntax error"},
		"bad escapes":  {"<L><EncodingType>url</EncodingType><Contents><Key>%zz</Key></Contents></L>", `look through bucket b: its list: invalid URL escape "%zz"`},
		"too long":     {strings.Repeat(" ", 9<<20), "look through bucket b: read shared file b: it has more than 8388608 bytes"},
		"without ends": {"<L><NextContinuationToken>1</NextContinuationToken>" + strings.Repeat("<Contents><Key>a</Key></Contents>", 1<<17) + "</L>", "look through bucket b: there are more than 1048576 files"},
	} {
		t.Run(name, func(t *testing.T) {
			b := bucketAt(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.text) })
			if _, err := b.List(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestBucketAddress says where a bucket is asked for.
func TestBucketAddress(t *testing.T) {
	for _, tt := range []struct{ at, want string }{
		{"s3://b", "https://b.s3.us-east-1.amazonaws.com/"},
		{"s3://b?region=eu-north-1", "https://b.s3.eu-north-1.amazonaws.com/"},
		{"s3://b.c?region=eu-north-1", "https://s3.eu-north-1.amazonaws.com/b.c/"},
		{"s3://b?endpoint=https://s3.example:444/", "https://s3.example:444/b/"},
	} {
		b, err := exchange.ParseBucket(tt.at, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if got := exchange.Address(b, "a b/c+d'*~é"); got != tt.want+"a%20b/c%2Bd%27%2A~%C3%A9" {
			t.Errorf("%s is asked at %s", tt.at, got)
		}
	}
	for _, at := range []string{"s3:/b", "s3://", "s3://u@b", "s3://b#c", "s3://b?color=red", "s3://b?endpoint=ftp://x", "s3://b?endpoint=https://x/y", "s3://b?region=%zz"} {
		if _, err := exchange.ParseBucket(at, func(string) string { return "" }); err == nil {
			t.Errorf("%s is a bucket", at)
		}
	}
}

// TestKeys takes keys from where the tools of AWS take them.
func TestKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credentials")
	text := "# mine\r\n[default]\r\naws_access_key_id=D\r\naws_secret_access_key = d=d==\r\n; [work]\n[ work ]\nAWS_ACCESS_KEY_ID = W\naws_secret_access_key = w\naws_session_token = t\nregion = x\n[half]\naws_access_key_id = H\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		profile string
		env     []string
		want    string
	}{
		{"", nil, "D d=d== "},
		{"work", nil, "W w t"},
		{"", []string{"AWS_PROFILE", "work"}, "W w t"},
		{"", []string{"AWS_ACCESS_KEY_ID", "E", "AWS_SECRET_ACCESS_KEY", "e", "AWS_SESSION_TOKEN", "s"}, "E e s"},
		{"work", []string{"AWS_ACCESS_KEY_ID", "E", "AWS_SECRET_ACCESS_KEY", "e"}, "W w t"},
		{"half", nil, "file of credentials " + file + ": profile half has no aws_access_key_id and aws_secret_access_key"},
		{"none", nil, "file of credentials " + file + ": profile none has no aws_access_key_id and aws_secret_access_key"},
		{"", []string{"AWS_SHARED_CREDENTIALS_FILE", file + "x"}, "no keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor in the file of credentials: open " + file + "x: "},
	} {
		env := map[string]string{"AWS_SHARED_CREDENTIALS_FILE": file}
		for i := 0; i < len(tt.env); i += 2 {
			env[tt.env[i]] = tt.env[i+1]
		}
		keys, err := exchange.KeysOf(tt.profile, func(name string) string { return env[name] })
		got := fmt.Sprint(keys.AccessKeyID, " ", keys.SecretAccessKey, " ", keys.SessionToken)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("profile %q, %q: %s, want %s", tt.profile, tt.env, got, tt.want)
		}
	}
}
