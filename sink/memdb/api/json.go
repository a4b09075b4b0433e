package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Wire is a type of the contract. Validate returns an [Invalid] with all flaws of the value, or
// nil.
type Wire interface{ Validate() error }

// Append appends the one JSON form of a value: the members in the order of the
// document, without insignificant space, and what is verbatim as it is.
func Append(dst []byte, v Wire) ([]byte, error) {
	out, err := json.Marshal(v, jsontext.PreserveRawStrings(true), json.Deterministic(true))
	if err != nil {
		return dst, fmt.Errorf("encode %T: %w", v, err)
	}
	return append(dst, out...), nil
}

// Decode reads one value and validates it. Unknown members, repeated members, invalid UTF-8 and
// anything after the value are errors.
func Decode(b []byte, v Wire) error {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	if err := json.UnmarshalDecode(d, v, json.RejectUnknownMembers(true)); err != nil {
		return invalid("", "read %s", reason(err))
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return invalid("", "read: something stands behind the value")
	}
	return v.Validate()
}

// Peek is Decode for values of a newer server: it ignores members that it does not know.
func Peek(b []byte, v Wire) error {
	if err := json.Unmarshal(b, v); err != nil {
		return invalid("", "read %s", reason(err))
	}
	return v.Validate()
}

// reason returns what is wrong with a JSON text, without quoting it: the text may be secret.
func reason(err error) string {
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("byte %d: not JSON", e.ByteOffset)
	}
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		if errors.Is(e.Err, json.ErrUnknownName) {
			return fmt.Sprintf("%s: unknown member", e.JSONPointer)
		}
		return fmt.Sprintf("%s: wrong type", e.JSONPointer)
	}
	return "body: " + err.Error()
}
