package contract

import (
	"fmt"
	"strings"

	"gemini-search/answer"
)

// maxRepairURLs bounds the list of URLs in a request for repair, so that a run
// with hundreds of results does not send them all again.
const maxRepairURLs = 60

// RepairRequest returns what is said to the model about an answer that breaks
// the contract: every violation, and the URLs that it may cite.
func RepairRequest(verdict *Verdict, grounding []answer.Source) string {
	var out strings.Builder
	out.WriteString("Your answer was checked by a program and refused. What is wrong:\n")
	for _, violation := range verdict.Violations {
		out.WriteString("- ")
		if violation.Line > 0 {
			fmt.Fprintf(&out, "line %d: ", violation.Line)
		}
		fmt.Fprintf(&out, "%s (%s)\n", violation.Message, violation.Code)
	}
	writeCitable(&out, grounding)
	out.WriteString("\nWrite the whole answer again, from its first line to the end of its ## Sources list, with these faults mended. " +
		"All the rules given before still hold. Do not speak of this check, and do not excuse yourself: reply with the answer alone.\n")
	return out.String()
}

// writeCitable lists what the search returned. Where that is not known, or was
// nothing, the model has to search again.
func writeCitable(out *strings.Builder, grounding []answer.Source) {
	if len(grounding) == 0 {
		out.WriteString("\nNo search result is known from which you could cite. Call " + SearchTool + " before you answer.\n")
		return
	}
	out.WriteString("\nThe only URLs that you may cite, character for character:\n")
	for i, source := range grounding {
		if i == maxRepairURLs {
			fmt.Fprintf(out, "- and %d more that the search returned\n", len(grounding)-i)
			return
		}
		fmt.Fprintf(out, "- %s\n", source.URI)
	}
}
