package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// entry is one member of an object of a JSON file with comments: the server that
// we add to those of the user. Everything else in the file keeps its bytes.
type entry struct {
	parent, name string
	value        any
}

// errForeign says that the name is taken by something that is not ours.
var errForeign = errors.New("another server has this name")

// put returns the file with the entry in it, as the first one, so that a removal
// takes away exactly what was added.
func (e entry) put(file []byte) ([]byte, error) {
	if len(bytes.TrimSpace(file)) == 0 {
		return append(e.document(), '\n'), nil
	}
	root, err := parseObject(file)
	if err != nil {
		return nil, err
	}
	parent, at := memberOf(root, e.parent)
	if at < 0 {
		return insert(file, root.start, len(root.Members), member(e.parent, map[string]any{e.name: e.value}, 1), 1), nil
	}
	servers, err := objectOf(parent)
	if err != nil {
		return nil, fmt.Errorf("%q is no object", e.parent)
	}
	old, at := memberOf(servers, e.name)
	if at < 0 {
		return insert(file, servers.start, len(servers.Members), member(e.name, e.value, 2), 2), nil
	}
	if !e.isOurs(file[old.StartOffset:old.EndOffset]) {
		return nil, errForeign
	}
	return splice(file, old.StartOffset, old.EndOffset, indented(e.value, 2)), nil
}

// remove returns the file without the entry. What the user wrote around it stays.
func (e entry) remove(file []byte) ([]byte, error) {
	if len(bytes.TrimSpace(file)) == 0 {
		return file, nil
	}
	root, err := parseObject(file)
	if err != nil {
		return nil, err
	}
	parent, at := memberOf(root, e.parent)
	if at < 0 {
		return file, nil
	}
	servers, err := objectOf(parent)
	if err != nil {
		return nil, fmt.Errorf("%q is no object", e.parent)
	}
	old, at := memberOf(servers, e.name)
	switch {
	case at < 0:
		return file, nil
	case !e.isOurs(file[old.StartOffset:old.EndOffset]):
		return nil, errForeign
	}
	return cutMember(file, servers, at), nil
}

// document is the whole file, where there is none.
func (e entry) document() []byte {
	return indented(map[string]any{e.parent: map[string]any{e.name: e.value}}, 0)
}

// cutMember takes a member, the white space before it and one comma out of a file.
func cutMember(file []byte, in object, at int) []byte {
	gone := in.Members[at]
	start := gone.Name.StartOffset
	if len(bytes.TrimSpace(gone.Name.BeforeExtra)) == 0 {
		start -= len(gone.Name.BeforeExtra)
	}
	comma := func(m hujson.ObjectMember) int { return m.Value.EndOffset + len(m.Value.AfterExtra) }
	switch last := at == len(in.Members)-1; {
	case !last || in.AfterExtra != nil: // hujson: not nil behind a comma at the end
		file = splice(file, comma(gone), comma(gone)+1, nil)
		return splice(file, start, gone.Value.EndOffset, nil)
	case at > 0:
		before := comma(in.Members[at-1])
		file = splice(file, start, gone.Value.EndOffset, nil)
		return splice(file, before, before+1, nil)
	default:
		return splice(file, start, gone.Value.EndOffset, nil)
	}
}

// object is an object and where its content begins in the file.
type object struct {
	*hujson.Object
	start int
}

func parseObject(file []byte) (object, error) {
	value, err := hujson.Parse(append(bytes.Clone(file), '\n')) // it wants a line break behind a comment
	if err != nil {
		return object{}, fmt.Errorf("it is no JSON: %w", err)
	}
	root, err := objectOf(&value)
	if err != nil {
		return object{}, errors.New("it holds no JSON object")
	}
	return root, nil
}

func objectOf(value *hujson.Value) (object, error) {
	found, ok := value.Value.(*hujson.Object)
	if !ok {
		return object{}, errors.New("no object")
	}
	return object{found, value.StartOffset + len("{")}, nil
}

// memberOf returns the last member of a name, which is the one that counts.
func memberOf(in object, name string) (value *hujson.Value, at int) {
	for i := len(in.Members) - 1; i >= 0; i-- {
		if literal, ok := in.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			return &in.Members[i].Value, i
		}
	}
	return nil, -1
}

// isOurs knows an entry that starts this program as a server, also one that
// another version wrote or that the user has changed.
func (e entry) isOurs(value []byte) bool {
	plain, err := hujson.Minimize(bytes.Clone(value))
	if err != nil {
		return false
	}
	return bytes.Contains(plain, []byte("gemini-search")) && bytes.Contains(plain, []byte(`"mcp"`)) ||
		bytes.Equal(plain, minimal(e.value))
}

func minimal(value any) []byte {
	plain, err := hujson.Minimize(indented(value, 0))
	if err != nil {
		panic("a server has no JSON form: " + err.Error())
	}
	return plain
}

// insert puts a member in front of those that are there.
func insert(file []byte, at, members int, text string, depth int) []byte {
	text = "\n" + strings.Repeat("  ", depth) + text
	switch {
	case members > 0:
		text += ","
	case file[at] == '}':
		text += "\n" + strings.Repeat("  ", depth-1)
	}
	return splice(file, at, at, []byte(text))
}

func member(name string, value any, depth int) string {
	return quote(name) + ": " + string(indented(value, depth))
}

func indented(value any, depth int) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(strings.Repeat("  ", depth), "  ")
	if err := encoder.Encode(value); err != nil {
		panic("a server has no JSON form: " + err.Error()) // strings, numbers and lists only
	}
	return bytes.TrimSpace(out.Bytes())
}

func splice(file []byte, from, to int, text []byte) []byte {
	return append(append(bytes.Clone(file[:from]), text...), file[to:]...)
}
