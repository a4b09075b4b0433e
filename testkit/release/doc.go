// Package release makes what is published of a version, twice, and installs it from there.
package release
