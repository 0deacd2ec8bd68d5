package sanitize

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/leaanthony/go-ansi-parser"
)

// On text whose only control functions are SGR, go-ansi-parser is right whenever
// it does not refuse. It refuses some colours, so the test also checks that most
// texts were compared.
func TestOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	const texts = 20_000
	compared := 0
	for range texts {
		s := styledText(random)
		want, err := ansi.Cleanse(s, ansi.WithIgnoreInvalidCodes())
		if err != nil {
			continue
		}
		compared++
		if got := String(s); got != want {
			t.Fatalf("String(%+q) = %+q, Cleanse %+q", s, got, want)
		}
	}
	if compared < texts/2 {
		t.Errorf("only %d of %d texts compared", compared, texts)
	}
}

// styledText returns pieces of text between SGR sequences.
func styledText(random *rand.Rand) string {
	words := []string{"", "m", "31", "red", " ", "\n", "\t", "한글", "é", "\U0001F600", "[", "]", "x;y", "[31m"}
	var s strings.Builder
	for range random.IntN(12) {
		if random.IntN(2) == 0 {
			s.WriteString(words[random.IntN(len(words))])
			continue
		}
		s.WriteString("\x1b[")
		for i := range random.IntN(4) {
			if i > 0 {
				s.WriteByte(';')
			}
			s.WriteString(strconv.Itoa(random.IntN(110)))
		}
		s.WriteByte('m')
	}
	return s.String()
}
