package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"gemini-search/contract"
	"gemini-search/sanitize"
	"gemini-search/settings"
)

// maxForced bounds how often a model is made to search before it is let go: a
// search that fails each time would else be asked for without end.
const maxForced = 4

// Kinds of record in the folder of a run. Each is a file KIND-NUMBER.json.
const (
	begunRecord  = "begun"  // one search that the model asked for
	endedRecord  = "ended"  // one that has ended, well or not
	searchRecord = "search" // one successful search
	forcedRecord = "forced" // one time the model had to search
	answerRecord = "answer" // one answer that the model gave
)

// Hook is the hook program of a run: the CLI calls it for an event with JSON on
// its standard input, and reads JSON back. It keeps its records in a folder of
// the run's home, because each call is a process of its own.
//
// What it prints is a request to the CLI. What it records is the proof, which
// [Search] reads once the CLI has ended.
func Hook(event settings.Event, folder string, repairs int, in io.Reader, out io.Writer) error {
	var input hookInput
	if err := json.NewDecoder(in).Decode(&input); err != nil {
		return fmt.Errorf("the input of the hook is not JSON: %w", err)
	}
	var reply any = struct{}{}
	var err error
	switch event {
	case settings.BeforeToolSelection:
		reply, err = forceSearch(folder)
	case settings.BeforeTool:
		err = saveRecord(folder, begunRecord, searchBegun{sanitize.String(input.ToolInput.Query)})
	case settings.AfterTool:
		err = recordSearch(folder, input)
	case settings.AfterAgent:
		reply, err = checkAnswer(folder, repairs, input)
	default:
		err = fmt.Errorf("there is no hook for %q", event)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(reply)
}

// hookInput is what the events of the CLI have in common with what is used here.
type hookInput struct {
	ToolName  string `json:"tool_name"`
	ToolInput struct {
		Query string `json:"query"`
	} `json:"tool_input"`
	ToolResponse struct {
		LLMContent json.RawMessage `json:"llmContent"`
		Error      json.RawMessage `json:"error"`
	} `json:"tool_response"`
	TranscriptPath string `json:"transcript_path"`
}

// toolChoice is the reply to BeforeToolSelection that allows one tool and
// requires it. An empty reply lets the model choose.
type toolChoice struct {
	Output struct {
		Event  string `json:"hookEventName"`
		Config struct {
			Mode    string   `json:"mode"`
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"toolConfig"`
	} `json:"hookSpecificOutput"`
}

// forceSearch makes the search tool the only choice until it has succeeded.
func forceSearch(folder string) (any, error) {
	searched, err := countRecords(folder, searchRecord)
	if err != nil || searched > 0 {
		return struct{}{}, err
	}
	forced, err := countRecords(folder, forcedRecord)
	if err != nil || forced >= maxForced {
		return struct{}{}, err
	}
	var choice toolChoice
	choice.Output.Event = "BeforeToolSelection"
	choice.Output.Config.Mode = "ANY"
	choice.Output.Config.Allowed = []string{contract.SearchTool}
	return choice, saveRecord(folder, forcedRecord, struct{}{})
}

// searchBegun is the record of a search that the model asked for.
type searchBegun struct {
	Query string `json:"query"`
}

// searchSeen is the record of a search.
type searchSeen struct {
	Query  string `json:"query"`
	Output string `json:"output"`
}

// recordSearch keeps what a search returned; a failed one returned nothing.
func recordSearch(folder string, input hookInput) error {
	var output string
	failed := len(input.ToolResponse.Error) > 0 && string(input.ToolResponse.Error) != "null"
	if input.ToolName != contract.SearchTool || failed || json.Unmarshal(input.ToolResponse.LLMContent, &output) != nil {
		return saveRecord(folder, endedRecord, struct{}{})
	}
	if err := saveRecord(folder, searchRecord, searchSeen{input.ToolInput.Query, output}); err != nil {
		return err
	}
	return saveRecord(folder, endedRecord, struct{}{})
}

// answerSeen is the record of an answer.
type answerSeen struct {
	Text     string `json:"text"`
	SentBack bool   `json:"sentBack"`
}

// repairRequest is the reply to AfterAgent that sends an answer back.
type repairRequest struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// checkAnswer judges an answer while the session lives, and sends a broken one
// back as often as repairs allows. The CLI itself bounds no such loop (1,494
// calls in 200 s were measured), so the count is in the records.
//
// The answer is read from the transcript: of one that came in pieces the CLI
// gives the hook a text in which the last piece stands twice (0.41.2 to 0.61.0).
func checkAnswer(folder string, repairs int, input hookInput) (any, error) {
	transcript, err := os.ReadFile(input.TranscriptPath)
	if err != nil {
		return nil, fmt.Errorf("the transcript could not be read: %w", err)
	}
	answers, err := loadRecords[answerSeen](folder, answerRecord)
	if err != nil {
		return nil, err
	}
	searches, err := loadSearches(folder)
	if err != nil {
		return nil, err
	}
	seen := answerSeen{Text: contract.LastAnswer(transcript)}
	verdict := contract.Verify(seen.Text, contract.Proof{Searches: len(searches), Grounding: groundingOf(searches)})
	seen.SentBack = verdict.Outcome == contract.Rejected && len(answers) < repairs
	if err := saveRecord(folder, answerRecord, seen); err != nil || !seen.SentBack {
		return struct{}{}, err
	}
	return repairRequest{"deny", contract.RepairRequest(verdict, groundingOf(searches))}, nil
}

// loadSearches reads the searches of a run, oldest first; nil without any.
func loadSearches(folder string) ([]contract.Search, error) {
	records, err := loadRecords[searchSeen](folder, searchRecord)
	var searches []contract.Search
	for _, record := range records {
		searches = append(searches, contract.NewSearch(record.Query, record.Output))
	}
	return searches, err
}

func countRecords(folder, kind string) (int, error) {
	records, err := filepath.Glob(filepath.Join(folder, kind+"-*.json"))
	return len(records), err
}

// saveRecord writes a record under the next free number. Searches of one turn run side
// by side, so the number is taken by making the file.
func saveRecord(folder, kind string, record any) error {
	data, err := json.Marshal(record)
	if err != nil {
		return err
	}
	for number := 1; ; number++ {
		file, err := os.OpenFile(recordPath(folder, kind, number), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		return errors.Join(err, file.Close())
	}
}

// loadRecords reads the records of a kind in the order of their numbers.
func loadRecords[Record any](folder, kind string) ([]Record, error) {
	var records []Record
	for number := 1; ; number++ {
		data, err := os.ReadFile(recordPath(folder, kind, number))
		if errors.Is(err, fs.ErrNotExist) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		var record Record
		if err := json.Unmarshal(data, &record); err != nil {
			return nil, fmt.Errorf("the record %s %d is damaged: %w", kind, number, err)
		}
		records = append(records, record)
	}
}

func recordPath(folder, kind string, number int) string {
	return filepath.Join(folder, kind+"-"+strconv.Itoa(number)+".json")
}
