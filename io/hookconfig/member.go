package hookconfig

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// AddMember returns settings with a member added. The last of names is the member; the names
// before it are the objects that contain it, which are created if they are missing. An empty text
// stands for a missing file. An existing member is not changed.
func AddMember(text []byte, names []string, value string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	lay, at := layoutOf(text), &root
	for i, name := range names {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s: %w", strings.Join(names[:i], "."), ErrForm)
		}
		here, last := lay.at(i+1), i == len(names)-1
		if index(object, name) >= 0 && last {
			return text, nil
		}
		if len(object.Members) > 0 {
			here = here.beside(object.AfterExtra)
		}
		empty := "{}"
		if last {
			empty = value
		}
		if at, err = member(at, name, empty, lay.at(i+1)); err != nil {
			return nil, err
		}
		if last {
			before := at.BeforeExtra
			here.spread(at)
			at.BeforeExtra = before
		}
	}
	return root.Pack(), nil
}

// RemoveMember returns settings without a member, and without the objects that are empty then. It
// reports whether the member existed.
func RemoveMember(text []byte, names []string) ([]byte, bool, error) {
	root, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	at, path := &root, []*hujson.Object(nil)
	for _, name := range names {
		object, ok := at.Value.(*hujson.Object)
		if !ok || index(object, name) < 0 {
			return text, false, nil
		}
		path = append(path, object)
		at = &object.Members[index(object, name)].Value
	}
	for i, object := range slices.Backward(path) {
		if i < len(path)-1 && len(path[i+1].Members) > 0 {
			break
		}
		dropMember(object, index(object, names[i]))
	}
	return root.Pack(), true, nil
}

// HasMember reports whether settings have a member, and whether it has the value.
func HasMember(text []byte, names []string, value string) (there, same bool, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return false, false, nil
	}
	root, err := parse(text)
	if err != nil {
		return false, false, err
	}
	at := &root
	for _, name := range names {
		object, ok := at.Value.(*hujson.Object)
		if !ok || index(object, name) < 0 {
			return false, false, nil
		}
		at = &object.Members[index(object, name)].Value
	}
	want, err := hujson.Parse([]byte(value))
	if err != nil {
		return true, false, fmt.Errorf("read value: %w", err)
	}
	is := at.Clone()
	is.Minimize()
	want.Minimize()
	return true, bytes.Equal(is.Pack(), want.Pack()), nil
}
