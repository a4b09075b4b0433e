//go:build !linux

package record

import (
	"errors"
	"syscall"
)

var errNoNamespaces = errors.New("confine the tool: only Linux has namespaces")

func confinement() (*syscall.SysProcAttr, error) { return nil, errNoNamespaces }

func confine(*Job) error { return errNoNamespaces }
