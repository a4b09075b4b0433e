// Package site builds the documentation as a site and follows its links.
package site
