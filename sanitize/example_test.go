package sanitize_test

import (
	"fmt"
	"os"

	"gemini-search/sanitize"
)

func ExampleString() {
	fmt.Println(sanitize.String("\x1b]8;;https://evil.example\x1b\\https://bank.example\x1b]8;;\x1b\\"))
	fmt.Println(sanitize.String("if admin\u202E\u2066 { // check\u2069\u2066"))
	// Output:
	// https://bank.example
	// if admin { // check
}

func ExampleInspect() {
	text, report := sanitize.Inspect("\x1b[8mconceal\u00ADed\x1b[0m")
	fmt.Printf("%s (removed: %v)\n", text, report)
	// Output: concealed (removed: 2 control functions, 1 invisible character)
}

func ExampleNewWriter() {
	w := sanitize.NewWriter(os.Stdout)
	fmt.Fprint(w, "\x1b[3")
	fmt.Fprintln(w, "1mred\x1b[0m")
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output: red
}
