// Package release builds a release twice and installs it.
package release
