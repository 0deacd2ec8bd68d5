package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gemini-search/answer"
	"gemini-search/sanitize"
)

// BundleSchema names the form of a [Bundle]. A reader refuses another one.
const BundleSchema = "gemini-search-evidence/1"

// Bundle is the evidence of one run in one file: all that the verdict rests on,
// and the verdict. Whoever has it can judge again without the run.
type Bundle struct {
	// Schema is BundleSchema.
	Schema string `json:"schema"`
	// Query is what was asked; PromptSHA256 is the hash of what was sent.
	Query        string `json:"query"`
	PromptSHA256 string `json:"promptSHA256"`
	// Response is the answer that was judged: the last one of the run.
	Response string `json:"response"`
	// Searches are the successful searches, with what they returned; null when
	// that is not known. Calls is how many the CLI counted.
	Searches []Search `json:"searches"`
	Calls    int      `json:"calls"`
	// Strict: facts that the search did not return are violations.
	Strict bool `json:"strict"`
	// Envelope is the CLI's own JSON, sanitized.
	Envelope json.RawMessage `json:"envelope"`
	// Verdict is what was found then.
	Verdict json.RawMessage `json:"verdict"`
	// CLIVersion is the version of the Gemini CLI; "" when it could not be told.
	CLIVersion string `json:"cliVersion"`
	// Program is what wrote the bundle, with its version.
	Program string `json:"program"`
}

// ErrNotBundle says that a text is not a bundle of this schema.
var ErrNotBundle = errors.New("it is not an evidence bundle of the schema " + BundleSchema)

// ReadBundle reads a bundle, its texts sanitized. It fails with [ErrNotBundle].
func ReadBundle(data []byte) (*Bundle, error) {
	var bundle Bundle
	if err := json.Unmarshal(data, &bundle); err != nil || bundle.Schema != BundleSchema {
		return nil, ErrNotBundle
	}
	bundle.Query = sanitize.String(bundle.Query)
	bundle.Response = sanitize.String(bundle.Response)
	for i, search := range bundle.Searches {
		bundle.Searches[i] = search.sanitized()
	}
	return &bundle, nil
}

func (s Search) sanitized() Search {
	clean := Search{Query: sanitize.String(s.Query), Text: sanitize.String(s.Text)}
	for _, source := range s.Sources {
		clean.Sources = append(clean.Sources, answer.Source{URI: sanitize.String(source.URI), Title: sanitize.String(source.Title)})
	}
	return clean
}

// IsBundle reports whether a text wants to be a bundle, of whatever schema.
func IsBundle(data []byte) bool {
	var bundle struct {
		Schema string `json:"schema"`
	}
	return json.Unmarshal(data, &bundle) == nil && strings.HasPrefix(bundle.Schema, "gemini-search-evidence/")
}

// Judge judges the evidence.
func (b *Bundle) Judge() *Verdict {
	proof := Proof{Searches: b.Calls}
	if b.Searches != nil {
		proof.Grounding = Sources(b.Searches)
	}
	verdict := Verify(b.Response, proof)
	if b.Strict && verdict.Outcome == Accepted {
		verdict.Reject(Strict(Cover(verdict.Body, b.Searches)))
	}
	return verdict
}

// Check judges the evidence again, and compares with the verdict in the bundle,
// byte for byte. An error says that they differ: one of them was changed.
func (b *Bundle) Check() (*Verdict, error) {
	verdict := b.Judge()
	envelope, err := ReadEnvelope(b.Envelope)
	if err != nil || envelope.Searches != b.Calls || strings.TrimSpace(envelope.Response) != strings.TrimSpace(b.Response) {
		return verdict, errors.New("the response or the count of searches in the bundle is not that of its envelope")
	}
	then := new(bytes.Buffer)
	if err := json.Compact(then, b.Verdict); err != nil {
		return verdict, fmt.Errorf("the bundle holds no verdict: %w", err)
	}
	if !bytes.Equal(then.Bytes(), verdict.JSON()) {
		return verdict, errors.New("the verdict in the bundle is not the one that its evidence gives")
	}
	return verdict, nil
}

// Reject adds violations to a verdict.
func (v *Verdict) Reject(violations []answer.Violation) {
	if len(violations) > 0 {
		v.Outcome = Rejected
		v.Violations = append(v.Violations, violations...)
	}
}

// JSON returns the verdict as scripts read it, on one line.
func (v *Verdict) JSON() []byte {
	shape := struct {
		Verdict    Outcome            `json:"verdict"`
		Grounding  answer.Grounding   `json:"grounding"`
		Violations []answer.Violation `json:"violations"`
		Citations  []string           `json:"citations"`
		Sources    []string           `json:"sources"`
		Searches   int                `json:"searches"`
	}{v.Outcome, v.Grounding, v.Violations, v.Citations, []string{}, v.Searches}
	if shape.Violations == nil {
		shape.Violations = []answer.Violation{}
	}
	for _, source := range v.Sources {
		shape.Sources = append(shape.Sources, source.URI)
	}
	data, err := marshal(shape)
	if err != nil {
		panic("a verdict has no JSON form: " + err.Error()) // strings and numbers only
	}
	return data
}
