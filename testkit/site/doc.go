// Package site builds the documentation site and checks its links.
package site
