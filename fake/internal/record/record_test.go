package record_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/record"
	"example.com/campaignfake/fixtures"
)

const token = "Zx81Qk/of a+customer="

// of returns the JSON of the user of an answer that was saved, and the notes.
func of(t *testing.T, body, token string) (user, notes string) {
	t.Helper()
	recording, err := record.Of(ask.Answer{Body: []byte(body)}, token)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(recording.User)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded), strings.Join(recording.Notes, "; ")
}

// If no fixture can have one of the campaigns, the whole list is recorded as a body. The notes say
// only that.
func TestCampaignsThatNoFixtureCanHave(t *testing.T) {
	t.Parallel()
	const levels = 101
	tree := strings.Repeat("[", levels) + strings.Repeat("]", levels)
	body := `{"campaigns":[{"id":"1"},{"tree":` + tree + `},{"id":"3"}]}`
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"description":"Recorded: a list of campaigns, as a body","replies":[` +
		`{"headers":{"Content-Type":"application/json"},"body":` + string(encoded) +
		`,"times":"always"}]}`
	const wantNotes = "the answer is recorded as the body of a reply: " +
		"no fixture can have all of its campaigns"
	user, notes := of(t, body, "")
	if user != want || notes != wantNotes {
		t.Errorf("recorded is\n%s %q\nwant\n%s %q", user, notes, want, wantNotes)
	}
}

// Of more campaigns than a user can have, the first ones are taken.
func TestFirstCampaigns(t *testing.T) {
	t.Parallel()
	list := strings.Repeat("{},", fixtures.MaxCount) + "{}"
	user, notes := of(t, `{"campaigns":[`+list+`]}`, "")
	const want = "these are the first 10000 of 10001 campaigns: a user in a file can have no more"
	if count := strings.Count(user, `"omit"`); count != fixtures.MaxCount || notes != want {
		t.Errorf("%d campaigns are recorded, with %q, want %s", count, notes, want)
	}
}

// Campaigns that no file can hold together are refused.
func TestCampaignsBeyondAFile(t *testing.T) {
	t.Parallel()
	campaign := `{"tags":"` + strings.Repeat("?", 100_000) + `"}`
	answer := ask.Answer{Body: []byte(`{"campaigns":[` + campaign + "," + campaign + `]}`)}
	_, err := record.Of(answer, "")
	const want = "one file of fixtures cannot hold 2 campaigns of this size; " +
		"record an answer that has fewer"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// A campaign that no file can hold is not left out without a word.
func TestCampaignThatIsTooLarge(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("x", 8<<20)
	answer := ask.Answer{Body: []byte(`{"campaigns":[{"name":"` + name + `"}]}`)}
	_, err := record.Of(answer, "")
	const want = "no fixture can carry the answer: "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %v, want %s…", err, want)
	}
}

// The notes on an answer that is no list of campaigns name what differs.
func TestNotes(t *testing.T) {
	t.Parallel()
	const isBody = "the answer is recorded as the body of a reply: it "
	const other = isBody + "has another shape than a list of campaigns: "
	const isNull = "campaigns is null in the answer, and [] in that of the fake"
	for body, want := range map[string]string{
		`{"campaigns":null}`:                 isNull,
		`{"campaigns":[],"next":null,"a":1}`: other + "beside campaigns it has a, next",
		`{"campaigns":{}}`:                   other + "its campaigns are no list",
		`{"campaigns":[{},7]}`:               other + "not all of its campaigns are objects",
		`{"` + strings.Repeat("x", 999) + `":1}`: other + "it has no campaigns, but " +
			strings.Repeat("x", 174) + "…",
		`[]`:                      other + "it is no object",
		`{"campaigns":[{"id":"1"`: isBody + "is not JSON",
	} {
		if _, notes := of(t, body, ""); notes != want {
			t.Errorf("the notes on %s are %q, want %q", body, notes, want)
		}
	}
}

// An answer of another shape keeps the order of its keys, unless the token in it is replaced. JSON
// that has a key twice is text.
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"b": 1.50, "a": {"d": 1, "c": 2}}`: `{"b":1.50,"a":{"d":1,"c":2}}`,
		`{"b": 1, "a": "` + token + `"}`:     `{"a":"TOKEN","b":1}`,
		`{"b":1,"b":2}`:                      `"{\"b\":1,\"b\":2}"`,
	} {
		user, _ := of(t, body, token)
		if !strings.Contains(user, `"body":`+want+`,"times":"always"}]`) {
			t.Errorf("%s is recorded as %s, want the body %s", body, user, want)
		}
	}
}

// The token is replaced in keys and in texts, as package secret knows it.
func TestTokenIsReplaced(t *testing.T) {
	t.Parallel()
	escaped := strings.ReplaceAll(token, "/", `\/`)
	object := fmt.Sprintf(`{"id":"1","link":"a=%s;b","%s":[{"a":"%s"}]}`, token, token, escaped)
	for body, want := range map[string]string{
		`{"campaigns":[` + object + `]}`: `"extra":{"TOKEN":[{"a":"TOKEN"}],"link":"a=TOKEN;b"}`,
		`{"data":[` + object + `]}`:      `{"TOKEN":[{"a":"TOKEN"}],"id":"1","link":"a=TOKEN;b"}`,
		`(` + token + `)`:                `"body":"(TOKEN)"`,
	} {
		user, notes := of(t, body, token)
		if !strings.Contains(user, want) || !strings.Contains(notes, "repeats the token") {
			t.Errorf("%s is recorded as\n%s %q\nwant\n%s", body, user, notes, want)
		}
	}
}

// A number that has the token is recorded as a text.
func TestTokenThatIsANumberIsReplaced(t *testing.T) {
	t.Parallel()
	const number = "1234567890"
	for body, want := range map[string]string{
		`{"campaigns":[{"id":"1","account":1234567890}]}`: `"extra":{"account":"TOKEN"}`,
		`{"account":1234567890}`:                          `"body":{"account":"TOKEN"}`,
		`{"accounts":[-1234567890.5, 12]}`:                `"body":{"accounts":["-TOKEN.5",12]}`,
		`1234567890`:                                      `"body":"TOKEN"`,
	} {
		user, notes := of(t, body, number)
		if !strings.Contains(user, want) || strings.Contains(user, number) {
			t.Errorf("%s is recorded as %s, want %s", body, user, want)
		}
		if !strings.Contains(notes, "repeats the token, for which TOKEN stands") {
			t.Errorf("%s is recorded with the notes %q", body, notes)
		}
	}
}

// The type of an answer is recorded without the token.
func TestTokenInTheTypeIsReplaced(t *testing.T) {
	t.Parallel()
	const secret = "abcdef123456"
	recording, err := record.Of(ask.Answer{
		Body:   []byte(`{"b":1}`),
		Header: http.Header{"Content-Type": {"application/vnd.x+json; t=" + secret}},
	}, secret)
	if err != nil {
		t.Fatal(err)
	}
	got := recording.User.Replies[0].Headers.Get("Content-Type")
	if got != "application/vnd.x+json; t=TOKEN" || len(recording.Notes) != 2 {
		t.Errorf("the type is %s, and the notes are %q", got, recording.Notes)
	}
}

// An answer with Content-Encoding: identity is recorded.
func TestAnswerWithTheEncodingIdentity(t *testing.T) {
	t.Parallel()
	_, err := record.Of(ask.Answer{
		Body:   []byte(`{"campaigns":[]}`),
		Header: http.Header{"Content-Encoding": {"identity"}},
	}, "")
	if err != nil {
		t.Error(err)
	}
}
