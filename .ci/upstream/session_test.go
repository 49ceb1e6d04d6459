package upstream

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// newBrowser returns a client that keeps cookies and follows redirects, as a browser does.
func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
}

// send sends a request, and returns where the answer is from, its status, and its body.
func send(
	t *testing.T,
	client *http.Client,
	method, url, token, body string,
) (from string, status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.Request.URL.String(), response.StatusCode, string(read)
}

// logIn logs in, and returns the token that the upstream gives.
func logIn(t *testing.T, client *http.Client, baseURL string) (token string) {
	t.Helper()
	_, _, text := send(t, client, "POST", baseURL+"/session", "", `{"name": "Ada"}`)
	var session struct{ Token string }
	if err := json.Unmarshal([]byte(text), &session); err != nil || session.Token == "" {
		t.Fatalf("the login is answered %q: %v", text, err)
	}
	return session.Token
}

// A cookie that the upstream gives for its own domain, over HTTPS alone, and to other sites, is
// kept and sent by a client of the fake; and what redirects to the upstream leads to the fake.
func TestSession(t *testing.T) {
	t.Parallel()
	fake := startFake(t, startSecureExpress(t))
	client := newBrowser(t)
	if _, status, text := send(t, client, "GET", fake.BaseURL+"/me", "", ""); status != 401 {
		t.Errorf("before the login, the answer is %d %s", status, text)
	}
	logIn(t, client, fake.BaseURL)
	for path, want := range map[string]string{
		"/me":             "/me",
		"/redirects/path": "/me",
		"/redirects/url":  "/me?from=home",
	} {
		from, status, text := send(t, client, "GET", fake.BaseURL+path, "", "")
		if from != fake.BaseURL+want || status != 200 || !strings.Contains(text, `"name":"Ada"`) {
			t.Errorf("%s is answered by %s: %d %s", path, from, status, text)
		}
	}
}

// The same over HTTP/2, with cookies whose attributes are the default.
func TestSessionOverHTTP2(t *testing.T) {
	t.Parallel()
	fake := startFake(t, startHTTPBin(t))
	client := newBrowser(t)
	_, _, dump := send(t, client, "GET", fake.BaseURL+"/dump/request", "", "")
	if !strings.HasPrefix(dump, "GET /v1/dump/request HTTP/2.0") {
		t.Errorf("the upstream has received\n%s", dump)
	}
	from, _, text := send(t, client, "GET", fake.BaseURL+"/cookies/set?theme=dark", "", "")
	if from != fake.BaseURL+"/cookies" || !strings.Contains(text, `"theme": "dark"`) {
		t.Errorf("the cookie is set by %s: %s", from, text)
	}
	for path, want := range map[string]string{
		"/redirect/2":             "/get",
		"/relative-redirect/2":    "/get",
		"/redirect-to?url=%2Fget": "/get",
	} {
		from, status, text := send(t, client, "GET", fake.BaseURL+path, "", "")
		if from != fake.BaseURL+want || status != 200 {
			t.Errorf("%s is answered by %s: %d %s", path, from, status, text)
		}
	}
}

// The campaigns of a login are those of the upstream, until the login is given something else.
func TestCampaignsOfALogin(t *testing.T) {
	t.Parallel()
	fake := startFake(t, startSecureExpress(t), "--unknown-tokens", "upstream")
	client := newBrowser(t)
	login := logIn(t, client, fake.BaseURL)
	campaigns := fake.BaseURL + "/user/campaigns"
	plane := "http://" + fake.Address + "/_fake/"
	expect := func(token string, want int, part string) {
		t.Helper()
		_, status, text := send(t, client, "GET", campaigns, token, "")
		if status != want || !strings.Contains(text, part) {
			t.Errorf("the campaigns are %d %.200s, want %d and %q", status, text, want, part)
		}
	}
	expect("demo", 200, "Spring Launch")
	expect("nobody", 401, "no such token")
	expect(login, 200, "A real campaign")

	send(t, client, "POST", plane+"replies?token="+login, "", `{"status": 503}`)
	expect(login, 503, "Service Unavailable")
	expect(login, 200, "A real campaign")

	send(t, client, "PUT", plane+"users?like=empty&token="+login, "", "")
	expect(login, 200, `{"campaigns":[]}`)
	send(t, client, "DELETE", plane+"users?token="+login, "", "")
	expect(login, 200, "A real campaign")

	_, status, text := send(t, client, "GET", campaigns+"/", login, "")
	if status != 404 || !strings.Contains(text, "ends in a slash") {
		t.Errorf("a slash at the end is answered %d %s", status, text)
	}
}
