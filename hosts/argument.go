package hosts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gemini-search/answer"
	"gemini-search/sanitize"
)

// added are the arguments that a host writes into each call of its own accord.
// They ask for nothing that a search could do.
var added = [...]string{
	"wait_for_previous", // Gemini CLI 0.61
}

// ReadArguments returns the query of a call. Hosts do not check arguments, so a
// model's slip arrives here; what it reads back must say how to call.
func ReadArguments(arguments json.RawMessage) (string, error) {
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return "", invalidArguments("the arguments are no JSON object")
		}
	}
	for _, name := range added {
		delete(given, name)
	}
	value, ok := given["query"]
	delete(given, "query")
	if len(given) > 0 {
		return "", invalidArguments("unknown argument " + nameList(given))
	}
	var query *string
	if err := json.Unmarshal(value, &query); !ok || err != nil || query == nil {
		return "", invalidArguments("the argument query is missing or no string")
	}
	if strings.TrimSpace(*query) == "" {
		return "", &answer.Failure{Kind: answer.InvalidQuery, Message: "the query is blank", Hint: onlyQuery}
	}
	return *query, nil
}

const onlyQuery = `call the tool with exactly {"query": "what to search for"}`

func invalidArguments(message string) error {
	return &answer.Failure{Kind: answer.InvalidToolArguments, Message: message, Hint: onlyQuery}
}

func nameList(given map[string]json.RawMessage) string {
	names := slices.Sorted(maps.Keys(given))
	for i, name := range names {
		names[i] = quote(sanitize.String(name))
	}
	const most = 10
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(names, ", ")
}

// quote returns a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("a string has no JSON form: " + err.Error())
	}
	return string(quoted)
}
