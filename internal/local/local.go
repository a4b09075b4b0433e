// Package local defines what a listening server requires: on loopback, no requests from web
// pages; on any other address, a token and TLS.
//
// Any web page can send requests to loopback addresses through the browser that shows it. But
// the browser says for whom it asks: Host has the name that was used, Origin and Sec-Fetch-Site
// the page that asks.
//
//	Host: 127.0.0.1:7475                                 accepted
//	Host: evil.example:7475                              refused (its name resolves to 127.0.0.1)
//	Host: localhost:7475, Origin: http://evil.example    refused
//	Host: localhost:7475, Origin: http://localhost:3000  refused (a page of another server)
//
// The OTLP receiver, the MCP server, the page, the status endpoint and MemDB all use it.
package local

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// IsLoopback reports whether a host can only be reached from this machine. An
// empty one is every address.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Asked reports whether a request names this machine as a loopback address does,
// and comes from no web page but one of the same address.
func Asked(r *http.Request) bool {
	host, port := split(r.Host)
	if !IsLoopback(host) {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		page, err := url.Parse(origin)
		if err != nil {
			return false
		}
		if from, at := split(page.Host); !IsLoopback(from) || at != port {
			return false
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// split takes a host apart from its port, which may be missing.
func split(address string) (host, port string) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return strings.Trim(address, "[]"), ""
	}
	return host, port
}

// Own lets only requests through that are [Asked] by this machine.
func Own(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Asked(r) {
			http.Error(w, "only this machine may call, by a name of its own, and no web page", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
