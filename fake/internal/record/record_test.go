package record_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/record"
	"example.com/campaignfake/fixtures"
)

const token = "Zx81Qk/of a+customer="

// of returns the JSON of the user of an answer that was saved, and the notes.
func of(t *testing.T, body, token string, most int) (user, notes string) {
	t.Helper()
	recording, err := record.Of(ask.ServiceAnswer{Body: []byte(body)}, token, most)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(recording.User)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded), strings.Join(recording.Notes, "; ")
}

// Of more campaigns than a user may have, the first ones are taken.
func TestMostCampaigns(t *testing.T) {
	t.Parallel()
	const all = `"campaigns":[{"id":"1","omit":["name","created_at","updated_at","status"]},` +
		`{"id":"2","omit":["name","created_at","updated_at","status"]}]`
	for most, want := range map[int]struct{ user, notes string }{
		3: {`{"description":"Recorded: 2 campaigns",` + all + `}`, ""},
		2: {`{"description":"Recorded: 2 campaigns",` + all + `}`, ""},
		1: {
			`{"description":"Recorded: the first 1 of 2 campaigns",` +
				`"campaigns":[{"id":"1","omit":["name","created_at","updated_at","status"]}]}`,
			"these are the first 1 of 2 campaigns: a user may have no more",
		},
	} {
		user, notes := of(t, `{"campaigns":[{"id":"1"},{"id":"2"}]}`, "", most)
		if user != want.user || notes != want.notes {
			t.Errorf("with %d at most, recorded is\n%s %q\nwant\n%s %q",
				most, user, notes, want.user, want.notes)
		}
	}
}

// A list of which no fixture can have one campaign is recorded as a body, with all of its
// campaigns. The notes say that, and nothing else.
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
	const wantNotes = "no fixture can have all of its campaigns, and so the answer is the body " +
		"of a reply"
	user, notes := of(t, body, "", 2)
	if user != want || notes != wantNotes {
		t.Errorf("recorded is\n%s %q\nwant\n%s %q", user, notes, want, wantNotes)
	}
}

// Of campaigns that no file can hold together, as many are taken as fit, and the note names the
// limit.
func TestCampaignsThatFit(t *testing.T) {
	t.Parallel()
	const campaigns = 40
	for name, tt := range map[string]struct {
		tags    string // of each campaign
		want    string // the limit in the note
		refusal string // of a file with one more, which names the same limit
	}{
		"large in memory": {
			tags:    `[` + strings.Repeat("{},", 999) + `{}]`,
			want:    "a set may have no more than 16 MiB in memory",
			refusal: "larger than 16 MiB in memory",
		},
		"many separators": {
			tags:    `"` + strings.Repeat("?", 6_000) + `"`,
			want:    "a file may have no more than 200000 keys, values and commas",
			refusal: "more than 200000 keys, values and commas",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			campaign := `{"id":"1","name":"Spring","tags":` + tt.tags + `}`
			list := strings.Repeat(campaign+",", campaigns-1) + campaign
			answer := ask.ServiceAnswer{Body: []byte(`{"campaigns":[` + list + `]}`)}
			recording, err := record.Of(answer, "", campaigns)
			if err != nil {
				t.Fatal(err)
			}
			user := recording.User
			if err := loadError(user); err != nil {
				t.Fatalf("what was recorded cannot be loaded: %v", err)
			}
			count := len(user.Campaigns)
			want := fmt.Sprintf("these are the first %d of %d campaigns: %s",
				count, campaigns, tt.want)
			if !slices.Equal(recording.Notes, []string{want}) {
				t.Errorf("the notes are %q, want %s", recording.Notes, want)
			}
			user.Campaigns = append(user.Campaigns, user.Campaigns[0]) // all are the same
			err = loadError(user)
			if err == nil || !strings.Contains(err.Error(), tt.refusal) {
				t.Errorf("%d campaigns were recorded; with one more, the error is %v, want %s",
					count, err, tt.refusal)
			}
		})
	}
}

// loadError returns why a file that has a user cannot be written and loaded again.
func loadError(user fixtures.User) error {
	var file bytes.Buffer
	set := fixtures.Set{Users: map[string]fixtures.User{"alice": user}}
	err := set.WriteYAML(&file)
	if err != nil {
		return err
	}
	_, err = fixtures.LoadText("alice.yaml", file.String())
	return err
}

// A campaign that no file can hold is not left out without a word.
func TestCampaignThatIsTooLarge(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("x", 8<<20)
	answer := ask.ServiceAnswer{Body: []byte(`{"campaigns":[{"name":"` + name + `"}]}`)}
	_, err := record.Of(answer, "", 10)
	want := "the first campaign of the answer is too large for a file of fixtures; " +
		"record an answer in which it is smaller"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// A download that was cut off, or that has something behind it, is no JSON. A note says so.
func TestOfSaysThatAnAnswerIsNotJSON(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"cut off":                        `{`,
		"cut off within a campaign":      `{"campaigns":[{"id":"1"`,
		"an object behind the campaigns": `{"campaigns":[{"id":"1"}]}{"a":1}`,
		"a page":                         "<h1>Sign in</h1>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const want = "the answer is not JSON, and so it is the body of a reply, as text"
			user, notes := of(t, body, "", 1)
			if notes != want || !strings.Contains(user, "Recorded: an answer that is not JSON") {
				t.Errorf("recorded is\n%s %q\nwant the note %q", user, notes, want)
			}
		})
	}
}

// The note on an answer of another shape names what differs.
func TestNoteOnAnotherShape(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"campaigns":[],"next":null,"a":1}`: "beside campaigns it has a, next;",
		`{"data":[]}`:                        "it has no key campaigns;",
		`{"campaigns":null}`:                 "its campaigns are not a list;",
		`{"campaigns":[{},7]}`:               "campaigns[1] is not an object;",
		`[]`:                                 "it is not an object;",
	} {
		_, notes := of(t, body, "", 10)
		if !strings.Contains(notes, "another shape than a list of campaigns: "+want) {
			t.Errorf("the notes on %s are %q, want one with %q", body, notes, want)
		}
	}
}

// The order of keys is kept in an answer of another shape, unless something in it is replaced.
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"b": 1.50, "a": {"d": 1, "c": 2}}`: `{"b":1.50,"a":{"d":1,"c":2}}`,
		`{"b": 1, "a": 2, "b": 3}`:           `{"a":2,"b":3}`,
		`{"b": 1, "a": [1E400, {}], "b": 3}`: `{"a":[1E400,{}],"b":3}`,
		`{"b": [{"c": 1, "c": 2}], "a": ""}`: `{"a":"","b":[{"c":2}]}`,
		`{"b": ["c", {"b": "c"}], "a": "c"}`: `{"b":["c",{"b":"c"}],"a":"c"}`,
		`{"b": 1, "a": "` + token + `"}`:     `{"a":"TOKEN","b":1}`,
	} {
		user, _ := of(t, body, token, 1)
		if !strings.Contains(user, `"replies":[{"body":`+want+`,"times":"always"}]`) {
			t.Errorf("%s is recorded as %s, want the body %s", body, user, want)
		}
	}
}

// The token is replaced in each form in which an answer may repeat it, in keys and in texts.
func TestTokenIsReplaced(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"as it is":         token,
		"in a query":       url.QueryEscape(token),
		"in a path":        url.PathEscape(token),
		"in a URL of .NET": "Zx81Qk%2fof+a%2bcustomer%3d",
		"in hexadecimal":   hex.EncodeToString([]byte(token)),
		"in capitals":      strings.ToUpper(hex.EncodeToString([]byte(token))),
		"in Base64":        base64.StdEncoding.EncodeToString([]byte(token)),
		"in Base64 of URL": base64.RawURLEncoding.EncodeToString([]byte(token)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			escaped := strings.ReplaceAll(form, "/", `\/`)
			object := fmt.Sprintf(`{"id":"1","link":"a=%s&b","%s":[{"a":"%s"}]}`,
				form, form, escaped)
			for body, want := range map[string]string{
				`{"campaigns":[` + object +
					`]}`: `"extra":{"TOKEN":[{"a":"TOKEN"}],"link":"a=TOKEN&b"}`,
				`{"data":[` + object +
					`]}`: `{"TOKEN":[{"a":"TOKEN"}],"id":"1","link":"a=TOKEN&b"}`,
				`<p>` + form + `</p>`: `"body":"<p>TOKEN</p>"`,
			} {
				user, notes := of(t, body, token, 1)
				user = strings.ReplaceAll(user, `\u003c`, "<")
				user = strings.ReplaceAll(user, `\u003e`, ">")
				user = strings.ReplaceAll(user, `\u0026`, "&")
				if !strings.Contains(user, want) || !strings.Contains(notes, "repeats the token") {
					t.Errorf("%s is recorded as\n%s %q\nwant\n%s", body, user, notes, want)
				}
			}
		})
	}
	credentials := base64.StdEncoding.EncodeToString([]byte("user:" + token))
	withUser, _ := of(t, `{"a":"`+credentials+`"}`, token, 1)
	if !strings.Contains(withUser, "TOKEN") || strings.Contains(withUser, credentials[8:]) {
		t.Errorf("the token behind a user in Base64 is recorded: %s", withUser)
	}
	shortest, _ := of(t, `{"a":"12345678"}`, "12345678", 1)
	if !strings.Contains(shortest, `{"a":"TOKEN"}`) {
		t.Errorf("a token of 8 characters is recorded: %s", shortest)
	}
	user, notes := of(t, `{"campaigns":[{"name":"demo"}]}`, "demo", 1)
	if !strings.Contains(user, `"name":"demo"`) || notes != "" {
		t.Errorf("a token that is a word is replaced: %s %q", user, notes)
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
		`1234567890`:                                      `"body":"\"TOKEN\""`,
	} {
		user, notes := of(t, body, number, 1)
		if !strings.Contains(user, want) || strings.Contains(user, number) {
			t.Errorf("%s is recorded as %s, want %s", body, user, want)
		}
		if !strings.Contains(notes, "repeats the token, for which TOKEN stands") {
			t.Errorf("%s is recorded with the notes %q", body, notes)
		}
	}
}

// The type of an answer is recorded without the token. Where it is not recorded, no note is needed.
func TestTokenInTheTypeIsReplaced(t *testing.T) {
	t.Parallel()
	const secret = "abcdef123456"
	const note = "the answer repeats the token, for which TOKEN stands"
	for name, tt := range map[string]struct {
		body    string
		wantAll []string // parts of the user and its notes
		isNoted bool
	}{
		"a body of another shape": {
			body:    `{"b":1,"a":2}`,
			wantAll: []string{`"application/vnd.x+json; t=TOKEN"`, `"body":{"b":1,"a":2}`},
			isNoted: true,
		},
		"a list of campaigns": {
			body:    `{"campaigns":[]}`,
			wantAll: []string{`"description":"Recorded: 0 campaigns"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recording, err := record.Of(ask.ServiceAnswer{
				Body:   []byte(tt.body),
				Header: http.Header{"Content-Type": {"application/vnd.x+json; t=" + secret}},
			}, secret, 1)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.Marshal(recording.User)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.wantAll {
				if !strings.Contains(string(encoded), want) ||
					strings.Contains(string(encoded), secret) {
					t.Errorf("recorded is %s, want %s in it", encoded, want)
				}
			}
			if slices.Contains(recording.Notes, note) != tt.isNoted {
				t.Errorf("the notes are %q", recording.Notes)
			}
		})
	}
}

// An answer that says of itself that it is not compressed is recorded.
func TestAnswerWithTheEncodingIdentity(t *testing.T) {
	t.Parallel()
	answer := ask.ServiceAnswer{
		Body:   []byte(`{"campaigns":[]}`),
		Header: http.Header{"Content-Encoding": {"identity"}},
	}
	_, err := record.Of(answer, "", 1)
	if err != nil {
		t.Error(err)
	}
}
