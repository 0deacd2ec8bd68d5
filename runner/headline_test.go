package runner

import (
	"strings"
	"testing"
)

// The rows with "trap" are measured ways in which the parser of styles loses or
// lets through text; each would show in a message.
func TestHeadline(t *testing.T) {
	tests := []struct{ name, stderr, want string }{
		{"nothing", "", ""},
		{"the last line, without styles", "warning: slow\nit broke\n", "it broke"},
		{"the red part of a line", "x\n\x1b[31mError:\x1b[0m detail\nlater\n", "Error:"},
		{"bright red", "\x1b[91mbad key\x1b[0m\n", "bad key"},
		{"red of the palette", "\x1b[38;5;9mbad key\x1b[0m\n", "bad key"},
		{"bold", "a \x1b[1mbold\x1b[0m b\n", "bold"},
		{"another colour is no headline", "\x1b[33mwarning\x1b[0m\nlast\n", "last"},
		{"trap: a line without the final m is an error and an empty text", "\x1b[Kcleared line\n", "cleared line"},
		{"trap: the next letter m would be eaten", "\x1b[2Jhello my friend\n", "hello my friend"},
		{"trap: codes 21 to 29 are an error: chalk writes them", "\x1b[1mloud\x1b[22m quiet\n", "loud quiet"},
		{"trap: other controls pass the parser", "\x1b]0;title\x07\x1b[31mred\x1b[0m\n", "red"},
		{"trap: C1 controls pass the parser", "\x1b[31mred\u009b2J\x1b[0m\n", "red"},
		{"trap: brackets are no escape", "see [link](x)\n", "see [link](x)"},
		{"invalid bytes", "\xffbroken\n", "\ufffdbroken"},
		{"long", strings.Repeat("x", 500), strings.Repeat("x", maxHeadline) + "…"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := headline([]byte(test.stderr)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
