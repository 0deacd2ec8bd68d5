package contract

import (
	"reflect"
	"slices"
	"testing"

	"gemini-search/answer"
)

func TestSentences(t *testing.T) {
	const cite = "[Source](https://go.dev/doc)"
	tests := []struct {
		name, body string
		cited      []string
		bare       []string
	}{
		{"a citation before the full stop", "Go is out " + cite + ". It is fast.", []string{"Go is out ."}, []string{"It is fast."}},
		{"a citation behind it", "Go is out. " + cite + " It is fast.", []string{"Go is out."}, []string{"It is fast."}},
		{"two behind it", "Go is out." + cite + " " + cite + " It is fast.", []string{"Go is out."}, []string{"It is fast."}},
		{"a full stop in a number ends nothing", "Go 1.26 is out " + cite, []string{"Go 1.26 is out"}, nil},
		{"a quotation ends with its mark", "He said \"no.\" " + cite + " Then yes.", []string{"He said \"no.\""}, []string{"Then yes."}},
		{"full-width", "現在は24です。" + cite + "以前は22でした。", []string{"現在は24です。"}, []string{"以前は22でした。"}},
		{"Korean", "1.26입니다 " + cite + ". 빠릅니다.", []string{"1.26입니다 ."}, []string{"빠릅니다."}},
		{"items are sentences", "- one " + cite + "\n- two\n", []string{"one"}, []string{"two"}},
		{"a writer's line break ends one", "one " + cite + "  \ntwo", []string{"one"}, []string{"two"}},
		{"a soft one does not", "one\ntwo " + cite, []string{"one two"}, nil},
		{"headings, code, images and bare numbers are none", "# Title\n\n```\ncode.\n```\n\n1.\n\n12 %\n", nil, nil},
		{"a citation in code is none", "one `" + cite + "`.", nil, []string{"one " + cite + "."}},
		{"brackets are text", "It is [very] fast " + cite, []string{"It is [very] fast"}, nil},
		{"emphasis is text", "**Go** is *out* " + cite, []string{"Go is out"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var cited, bare []string
			for _, s := range sentences(test.body) {
				if s.cited {
					cited = append(cited, s.text)
				} else {
					bare = append(bare, s.text)
				}
			}
			if !slices.Equal(cited, test.cited) || !slices.Equal(bare, test.bare) {
				t.Errorf("cited %q, not cited %q, want %q and %q", cited, bare, test.cited, test.bare)
			}
		})
	}
}

func TestCover(t *testing.T) {
	const cite = " [Source](https://go.dev/doc)."
	search := []Search{{
		Query: "go", Text: "Go 1.26 came out on 2026-02-10. Everest is 8,848.86 m high.[1] They call it \"the best Go yet\".",
		Sources: []answer.Source{{URI: "https://go.dev/doc", Title: "go.dev"}},
	}}
	tests := []struct {
		name, body string
		searches   []Search
		missing    []string
	}{
		{"what the search said", "Go 1.26 came out on 2026-02-10" + cite, search, nil},
		{"another version", "Go 1.27 is out" + cite, search, []string{"1.27"}},
		{"a part of a number is another number", "Go 26 is out" + cite, search, []string{"26"}},
		{"thousands are separated as one likes", "It is 8848.86 m" + cite, search, nil},
		{"a quotation", "They say \"The best  Go yet\"" + cite, search, nil},
		{"an invented quotation", "They say “the worst Go”" + cite, search, []string{"the worst Go"}},
		{"nothing is asked of a sentence without a citation", "Go 1.27 is out.", search, nil},
		{"nothing is known", "Go 1.27 is out" + cite, nil, nil},
		{"only the URLs are known", "Go 1.27 is out" + cite, []Search{{Sources: search[0].Sources}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var missing []string
			coverage := Cover(test.body, test.searches)
			for _, unsupported := range coverage.Unsupported {
				missing = append(missing, unsupported.Missing...)
			}
			if !slices.Equal(missing, test.missing) {
				t.Errorf("missing %q, want %q", missing, test.missing)
			}
			if got := len(Strict(coverage)); got != len(coverage.Unsupported) {
				t.Errorf("%d violations", got)
			}
		})
	}
}

func TestCoverCounts(t *testing.T) {
	got := Cover("One [Source](https://go.dev/doc). Two. Three [Source](https://go.dev/doc).", nil)
	want := answer.Coverage{Sentences: 3, Cited: 2, Uncited: []string{"Two."}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
