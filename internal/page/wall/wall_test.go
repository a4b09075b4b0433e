package wall_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/page/wall"
)

// visitor asks a server through its wall.
type visitor struct {
	*testing.T

	h http.Handler
}

func newVisitor(t *testing.T, w *wall.Wall) visitor {
	t.Helper()
	return visitor{t, w.Guard(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) { _, _ = out.Write([]byte("secret")) }))}
}

// ask sends a request with headers, each "Name: value".
func (v visitor) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	v.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:7478"
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Add(name, value)
	}
	out := httptest.NewRecorder()
	v.h.ServeHTTP(out, r)
	return out
}

// cookiesOf are the cookies that an answer sets.
func cookiesOf(r *httptest.ResponseRecorder) []*http.Cookie {
	return (&http.Response{Header: r.Header()}).Cookies()
}

// enter uses the link and returns the cookie as a header.
func (v visitor) enter(w *wall.Wall) string {
	v.Helper()
	r := v.ask("GET", w.Link(), "")
	cookies := cookiesOf(r)
	if r.Code != http.StatusSeeOther || len(cookies) != 1 {
		v.Fatalf("the link answers %d", r.Code)
	}
	c := cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.MaxAge != 0 {
		v.Errorf("the cookie is %+v", c)
	}
	return "Cookie: " + c.Name + "=" + c.Value
}

func TestWall(t *testing.T) {
	used := 0
	w := wall.New(wall.Options{Local: true, Cookie: "c"})
	w.Used = func() { used++ }
	v := newVisitor(t, w)
	link := w.Link()
	cookie := v.enter(w)
	if used != 1 || w.Link() == link {
		t.Errorf("the link was used %d times, and is %t another", used, w.Link() != link)
	}
	form := url.Values{"word": {w.Word()}}.Encode()
	const own = "Origin: http://127.0.0.1:7478"
	for _, tc := range []struct {
		what, method, path, body string
		headers                  []string
		want                     int
	}{
		{"no cookie", "GET", "/", "", nil, 401},
		{"a wrong cookie", "GET", "/", "", []string{"Cookie: c=x"}, 401},
		{"the cookie", "GET", "/", "", []string{cookie}, 200},
		{"by another name of this machine", "GET", "/", "", []string{cookie, "Host: localhost:7478"}, 200},
		{"a link a second time", "GET", link, "", nil, 401},
		{"no key", "GET", "/enter", "", nil, 401},
		{"a used link with the cookie", "GET", link, "", []string{cookie}, 303},
		{"a foreign host", "GET", "/", "", []string{cookie, "Host: evil.example"}, 403},
		{"a foreign host with the link", "GET", w.Link(), "", []string{"Host: evil.example"}, 403},
		{"a page of another place", "GET", "/", "", []string{cookie, "Origin: http://evil.example"}, 403},
		{"a page of another server here", "GET", "/", "", []string{cookie, "Origin: http://127.0.0.1:3000"}, 403},
		{"a picture in another page", "GET", "/", "", []string{cookie, "Sec-Fetch-Site: cross-site"}, 403},
		{"a form", "POST", "/say", form, []string{cookie, own}, 200},
		{"a form of no page", "POST", "/say", form, []string{cookie}, 403},
		{"a form of another page", "POST", "/say", form, []string{cookie, "Origin: http://evil.example"}, 403},
		{"a form without the word", "POST", "/say", "word=x", []string{cookie, own}, 403},
		{"a form without the cookie", "POST", "/say", form, []string{own}, 401},
		{"a form that is too long", "POST", "/say", form + "&text=" + strings.Repeat("x", 1<<17), []string{cookie, own}, 403},
		{"another method", "DELETE", "/", "", []string{cookie}, 405},
		{"a style", "GET", "/assets/page.css", "", nil, 200},
		{"a bearer where there is no token", "GET", "/", "", []string{"Authorization: Bearer "}, 401},
		{"a token where there is none", "POST", "/enter", "token=", []string{own}, 401},
	} {
		r := v.ask(tc.method, tc.path, tc.body, tc.headers...)
		if r.Code != tc.want {
			t.Errorf("%s: %d, want %d", tc.what, r.Code, tc.want)
		}
		csp := r.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; ") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: the policy is %q", tc.what, csp)
		}
	}
	if used != 1 {
		t.Errorf("the link was used %d times", used)
	}
}

// Beyond this machine a token lets in, by a form or as a bearer, and the host must be
// the certificate's.
func TestWallBeyond(t *testing.T) {
	const token = "a-token-of-32-characters-or-more"
	w := wall.New(wall.Options{Token: token, Secure: true, Cookie: "c", Knows: func(host string) bool { return host == "team.example" }})
	v := newVisitor(t, w)
	const team = "Host: team.example:7478"
	for _, tc := range []struct {
		what, method, path, body string
		headers                  []string
		want                     int
	}{
		{"nothing", "GET", "/", "", []string{team}, 401},
		{"the token", "GET", "/", "", []string{team, "Authorization: Bearer " + token}, 200},
		{"a wrong token", "GET", "/", "", []string{team, "Authorization: Bearer " + token + "x"}, 401},
		{"the token under another name", "GET", "/", "", []string{"Host: evil.example:7478", "Authorization: Bearer " + token}, 403},
		{"the token for another page", "GET", "/", "", []string{team, "Origin: https://evil.example", "Authorization: Bearer " + token}, 403},
		{"the form", "POST", "/enter", "token=" + token, []string{team, "Origin: https://team.example:7478"}, 303},
		{"the form with a wrong token", "POST", "/enter", "token=x", []string{team, "Origin: https://team.example:7478"}, 401},
		{"the token in an address", "GET", "/enter?token=" + token, "", []string{team}, 401},
	} {
		r := v.ask(tc.method, tc.path, tc.body, tc.headers...)
		if r.Code != tc.want {
			t.Errorf("%s: %d, want %d", tc.what, r.Code, tc.want)
		}
		for _, c := range cookiesOf(r) {
			if !c.Secure {
				t.Errorf("%s: the cookie may leave without TLS", tc.what)
			}
		}
	}
}
