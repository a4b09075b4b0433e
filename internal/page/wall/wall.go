// Package wall lets only the person who was given the link reach the page.
//
//	GET /enter?key=K      a link that works once: it leaves a cookie, and the next link is another
//	GET /decision/…       answered to who has the cookie, or the token as a bearer
//	POST …                besides, from the page itself: Origin, and a word that only its forms have
//
// A browser reaches an address of this machine for any page that it shows. So a request
// must name this machine and come from no other page; beyond this machine, it must name
// a host that the certificate is for.
//
// How a browser gets in, and stays in:
//
//	serve prints /enter?key=K1
//	browser opens it          → cookie, and a redirect to the page; K1 is used up
//	serve prints /enter?key=K2
//	somebody else opens K1    → 401, with a page that says how to get a link
//	the process ends          → its secret is gone, and with it all cookies
//
// Keys and the secret are random words of 260 bits, compared in constant time. They are never
// written to a file.
package wall

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/local"
)

// Options say what the page is reached by.
type Options struct {
	// Local says that only this machine can reach the address.
	Local bool
	// Token is one that may be given instead of a link; "" is none.
	Token string
	// Secure says that the page is served by TLS.
	Secure bool
	// Knows reports whether the certificate is for a host; nil knows all.
	Knows func(host string) bool
	// Cookie is the name of the cookie. Cookies are shared by the ports of a machine.
	Cookie string
	// Used, if not nil, is called when the link was used. [Wall.Link] is another then.
	Used func()
	// Now is the clock by which connections are bounded; nil bounds none.
	Now func() time.Time
}

// Wall lets requests through, or does not.
type Wall struct {
	Options

	secret string // the cookie's value

	mu  sync.Mutex
	key string // of the link
}

// Enter is the path of links.
const Enter = "/enter"

// Open is where things lie that everybody may have: they say nothing of anybody.
const Open = "/assets/"

// The bounds of a request: how long its body is, and how long it may take to arrive, and
// an answer to leave.
const (
	maxBody  = 64 << 10
	maxTake  = 15 * time.Second
	maxLeave = time.Minute
)

// New makes a wall.
func New(o Options) *Wall { return &Wall{Options: o, secret: secret(), key: secret()} }

// secret returns a random word of 260 bits.
func secret() string { return rand.Text() + rand.Text() }

// Link returns what follows the address in the link that works now.
func (w *Wall) Link() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Enter + "?key=" + w.key
}

// Word returns what a form must have in its field "word" for its request to be taken.
func (w *Wall) Word() string {
	sum := sha256.Sum256([]byte("form " + w.secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Guard lets requests through to next.
func (w *Wall) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.forbid(out.Header())
		r.Body = http.MaxBytesReader(out, r.Body, maxBody)
		w.bound(out, r)
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			out.Header().Set("Allow", "GET, HEAD, POST")
			http.Error(out, "this page is read", http.StatusMethodNotAllowed)
		case !w.comesFromHere(r):
			http.Error(out, "only for the page itself, by its own address", http.StatusForbidden)
		case r.URL.Path == Enter:
			w.enter(out, r)
		case strings.HasPrefix(r.URL.Path, Open) && r.Method != http.MethodPost:
			next.ServeHTTP(out, r)
		case w.Token != "" && local.Bears(r, w.Token):
			next.ServeHTTP(out, r)
		case !w.hasCookie(r):
			w.refuse(out)
		case r.Method == http.MethodPost && !w.isForm(r):
			http.Error(out, "only the page's own forms are taken", http.StatusForbidden)
		default:
			next.ServeHTTP(out, r)
		}
	})
}

// bound has a connection end that is too slow. What has no connection has no bounds.
func (w *Wall) bound(out http.ResponseWriter, r *http.Request) {
	if w.Now == nil {
		return
	}
	c, now := http.NewResponseController(out), w.Now()
	if r.Method == http.MethodPost {
		_ = c.SetReadDeadline(now.Add(maxTake))
	}
	_ = c.SetWriteDeadline(now.Add(maxLeave))
}

// forbid has the browser load nothing from elsewhere, run nothing but the page's own
// script, and show the page in no other.
func (w *Wall) forbid(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	h.Set("Cache-Control", "no-store")
	if w.Secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// comesFromHere reports whether a request is for this server, and from no other page.
func (w *Wall) comesFromHere(r *http.Request) bool {
	if w.Local {
		return local.Asked(r)
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if w.Knows != nil && !w.Knows(strings.Trim(host, "[]")) {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		if page, err := url.Parse(origin); err != nil || !strings.EqualFold(page.Host, r.Host) {
			return false
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// hasCookie reports whether a request has the cookie of this process, compared in
// constant time.
func (w *Wall) hasCookie(r *http.Request) bool {
	for _, c := range r.CookiesNamed(w.Cookie) {
		if same(c.Value, w.secret) {
			return true
		}
	}
	return false
}

// isForm reports whether a request is one of the page's own forms. Browsers send the
// Origin of every form; the word keeps out what a browser is made to send without it.
func (w *Wall) isForm(r *http.Request) bool {
	return r.Header.Get("Origin") != "" && same(r.PostFormValue("word"), w.Word())
}

// same compares without telling how much of the two is alike.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// enter takes a link or a token for the cookie.
func (w *Wall) enter(out http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	switch {
	case w.hasCookie(r):
	case key != "" && r.Method == http.MethodGet && w.use(key):
		if w.Used != nil {
			w.Used()
		}
	case w.Token != "" && r.Method == http.MethodPost && same(r.PostFormValue("token"), w.Token):
	default:
		w.refuse(out)
		return
	}
	http.SetCookie(out, &http.Cookie{
		Name: w.Cookie, Value: w.secret, Path: "/", HttpOnly: true, Secure: w.Secure, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(out, r, "/", http.StatusSeeOther)
}

// use uses a link up.
func (w *Wall) use(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !same(key, w.key) {
		return false
	}
	w.key = secret()
	return true
}

const refused = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Memscribe</title></head>
<body><main><h1>This page needs its link</h1>
<p>memscribe serve prints it. A link works once, then the next one is printed; this browser keeps what it got.</p>
`

const tokenForm = `<form method="post" action="/enter"><label>Or the token: <input name="token" type="password" autocomplete="off" required></label> <button>Enter</button></form>
`

// refuse answers 401 with a page that says how to get in.
func (w *Wall) refuse(out http.ResponseWriter) {
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	text := refused
	if w.Token != "" {
		out.Header().Set("WWW-Authenticate", `Bearer realm="memscribe"`)
		text += tokenForm
	}
	out.WriteHeader(http.StatusUnauthorized)
	_, _ = out.Write([]byte(text + "</main></body></html>\n")) // who is refused need not read why
}
