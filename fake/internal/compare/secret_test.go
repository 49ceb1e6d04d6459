package compare_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// said returns all that a comparison says: its findings and settings, or its error.
func said(t *testing.T, real service) string {
	t.Helper()
	findings, settings, err := comparison().Run(
		t.Context(),
		endpoint(t, real),
		endpoint(t, service{}),
	)
	text := fmt.Sprint(err, written(t, settings))
	for _, f := range findings {
		text += fmt.Sprintf("\n%+v", f) + written(t, f.Remedy.Settings)
	}
	return text
}

// A service may repeat the token in whatever it sends, whole, in parts, or encoded.
func TestTheTokenIsNeverRepeated(t *testing.T) {
	t.Parallel()
	half := len(token) / 2
	for name, echo := range map[string]string{
		"plain":          token,
		"upper":          strings.ToUpper(token),
		"eight letters":  token[7:16],
		"escaped":        url.QueryEscape(strings.ReplaceAll(token, "-", "%2D")),
		"with a percent": "100% of %" + url.QueryEscape(strings.ReplaceAll(token, "-", "%2D")),
		"split":          "https://example.com/" + token[:half] + "/" + token[half:] + "?a=b",
		"query":          "https://example.com/?a=" + token[:half] + "&b=" + token[half:],
		"base64":         base64.StdEncoding.EncodeToString([]byte("user:" + token)),
		"base64 1":       base64.StdEncoding.EncodeToString([]byte("abc" + token)),
		"base64 2":       base64.URLEncoding.EncodeToString([]byte("x" + token + "!")),
		"hex":            hex.EncodeToString([]byte(token)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded, err := json.Marshal(echo)
			if err != nil {
				t.Fatal(err)
			}
			quoted := string(encoded)
			everywhere := strings.ReplaceAll(`{"campaigns":[
				{"id":T,"name":T,"created_at":T,"updated_at":T,"status":T,T:T}],T:1}`, "T", quoted)
			for _, list := range []string{
				everywhere,
				`{"campaigns":1,` + quoted + `:1}`,
				`{"campaigns":[],` + quoted + `:1}`,
				quoted,
				`{"campaigns":[` + quoted + `]}`,
			} {
				got := said(t, service{
					list:     says(200, `application/json; token="`+echo+`"`, list),
					missing:  says(401, "text/plain", echo),
					invalid:  says(401, "application/json", `{`+quoted+`:{"a":[`+quoted+`]}}`),
					notFound: says(404, "text/"+echo, `{"error":`+quoted+`}`),
				})
				for _, part := range []string{
					echo,
					token,
					token[:half],
					token[half:],
					echo[len(echo)/2:],
				} {
					if strings.Contains(strings.ToLower(got), strings.ToLower(part)) &&
						len(part) >= 8 {
						t.Fatalf("%q is in\n%s", part, got)
					}
				}
			}
			redirects := said(t, service{list: redirect("https://example.com/" + echo)})
			if strings.Contains(redirects, echo) {
				t.Errorf("%q is in\n%s", echo, redirects)
			}
		})
	}
}

// A token of less than eight letters is found where all of it is.
func TestAShortTokenIsNeverRepeated(t *testing.T) {
	t.Parallel()
	const short = "Zx81Q"
	for name, echo := range map[string]string{
		"plain":    "for " + short + "!",
		"base64":   base64.StdEncoding.EncodeToString([]byte(short + "!")),
		"base64 1": base64.StdEncoding.EncodeToString([]byte("x" + short + "!")),
		"base64 2": base64.StdEncoding.EncodeToString([]byte("xy" + short + "!")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := service{missing: says(401, "text/plain", echo)}
			real := endpoint(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == "Bearer "+short {
					r.Header.Set("Authorization", "Bearer "+token)
				}
				answers.ServeHTTP(w, r)
			}))
			real.Token = short
			findings, settings, err := comparison().Run(t.Context(), real, endpoint(t, service{}))
			if err != nil {
				t.Fatal(err)
			}
			r := result{findings, settings}
			f := r.called(t, "responses.missing_token.body")
			if f.LeftOut != "all but its type (repeats the token)" {
				t.Errorf("found %+v", f)
			}
		})
	}
}

// Less than eight bytes of the token may be there by chance.
func TestWhatLooksLittleLikeTheTokenIsShown(t *testing.T) {
	t.Parallel()
	got := said(t, service{missing: says(401, "text/plain", "open the sesame")})
	if !strings.Contains(got, "open the sesame") {
		t.Errorf("the answer is not in\n%s", got)
	}
}

// What is long is cut where it is shown. It is written whole.
func TestWhatIsLongIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("no ", 200)
	r := run(t, comparison(), service{missing: says(401, "text/plain", long)})
	f := r.called(t, "responses.missing_token.body")
	if len(f.Service) != 400+len("…") || f.Remedy.Settings.Responses.MissingToken.Body != long {
		t.Errorf("found %+v with %s", f, written(t, f.Remedy.Settings))
	}
}
