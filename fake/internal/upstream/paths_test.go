package upstream_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/upstream"
)

// A path below the base path goes to one below the path of the upstream's URL, and any other one to
// the same path. Both go on as they were sent, and so does the query.
func TestPaths(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		urlPath, basePath, sent string
		want                    string
	}{
		"below":                    {"/v1", "/api", "/api/profile", "/v1/profile"},
		"below, slash at the end":  {"/v1/", "/api", "/api/profile/", "/v1/profile/"},
		"the base path":            {"/v1", "/api", "/api", "/v1"},
		"the base path, slash":     {"/v1", "/api", "/api/", "/v1/"},
		"outside":                  {"/v1", "/api", "/oauth", "/oauth"},
		"nearly the base path":     {"/v1", "/api", "/apis", "/apis"},
		"URL without a path":       {"", "/api", "/api/profile", "/profile"},
		"URL with a slash":         {"/", "/api", "/api", "/"},
		"no base path":             {"/v1", "", "/profile", "/v1/profile"},
		"neither":                  {"", "", "/", "/"},
		"long ones":                {"/a/b", "/c/d", "/c/d/e", "/a/b/e"},
		"escaped slash":            {"/v1", "/api", "/api/a%2Fb%2fc", "/v1/a%2Fb%2fc"},
		"escaped without need":     {"/v1", "/api", "/api/%61", "/v1/%61"},
		"escaped in the URL":       {"/a%2Fb", "/api", "/api/%C3%A9", "/a%2Fb/%C3%A9"},
		"escaped base path":        {"/v1", "/api", "/%61pi/x", "/%61pi/x"},
		"doubled slashes":          {"/v1", "/api", "//api//x", "//api//x"},
		"dots":                     {"/v1", "/api", "/api/../x/./y", "/v1/../x/./y"},
		"query":                    {"/v1", "/api", "/api/x?a=1&b=2", "/v1/x?a=1&b=2"},
		"query that is not parsed": {"/v1", "/api", "/api/x?a;b=%zz&c", "/v1/x?a;b=%zz&c"},
		"empty query":              {"/v1", "/api", "/api/x?", "/v1/x?"},
		"URL of the query": {
			urlPath:  "/v1",
			basePath: "/api",
			sent:     "/api/x?to=https://a.test/?b",
			want:     "/v1/x?to=https://a.test/?b",
		},
		"as a proxy is asked":       {"/v1", "/api", "http://fake.test/api/x", "/v1/x"},
		"as a proxy is asked, root": {"/v1", "/api", "http://fake.test", "/"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, r.RequestURI)
			})
			f := newFront(t, setup{URL: server.URL + tt.urlPath, BasePath: tt.basePath})
			c := dial(t, f.host())
			c.send(t, "GET "+tt.sent+" HTTP/1.1", "Host: fake.test", "")
			got, err := io.ReadAll(c.readAnswer(t).Body)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("the upstream was asked for %s, want %s", got, tt.want)
			}
		})
	}
}

// OPTIONS * is about the server, and not about a path.
func TestOptionsOfTheServer(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	handler := func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.RequestURI
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	server.Config.DisableGeneralOptionsHandler = true
	server.Start()
	t.Cleanup(server.Close)
	f := newFront(t, setup{URL: server.URL + "/v1"})
	c := dial(t, f.host())
	c.send(t, "OPTIONS * HTTP/1.1", "Host: fake.test", "")
	c.readAnswer(t)
	if got := receive(t, asked); got != "*" {
		t.Errorf("the upstream was asked for %s, want *", got)
	}
}

// Target names where a request goes, and keeps its query to itself.
func TestTarget(t *testing.T) {
	t.Parallel()
	proxy := newProxy(t, setup{URL: "https://api.example.com:8443/v1/"})
	for sent, want := range map[string]string{
		"/api/a%2Fb?key=s3cret": "https://api.example.com:8443/v1/a%2Fb",
		"/oauth":                "https://api.example.com:8443/oauth",
	} {
		r := newRequest(t, http.MethodGet, "http://fake.test"+sent, nil)
		if got := proxy.Target(r, "/api"); got != want {
			t.Errorf("Target of %s = %s, want %s", sent, got, want)
		}
	}
}

// URLs of the upstream in its answer become ours, and lead to the same place there. Others stay.
func TestLocation(t *testing.T) {
	t.Parallel()
	const other = "https://login.example.com/v1/authorize?x=1"
	for name, tt := range map[string]struct {
		urlPath, basePath, sent string
		location                string // {host} stands for host and port of the upstream
		want                    string
	}{
		"a path": {"/v1", "/api", "/api/a", "/v1/login", "/api/login"},
		"a path, with all": {
			urlPath:  "/v1",
			basePath: "/api",
			sent:     "/api/a",
			location: "/v1/a%2Fb?c=%2F;d#e%20f",
			want:     "/api/a%2Fb?c=%2F;d#e%20f",
		},
		"an empty query":          {"/v1", "/api", "/api/a", "/v1/a?", "/api/a?"},
		"a slash in the fragment": {"/v1", "/api", "/api/a", "/v1/a#b%2Fc", "/api/a#b%2Fc"},
		"a path outside":          {"/v1", "/api", "/api/a", "/oauth?x", "/oauth?x"},
		"a path nearly inside":    {"/v1", "/api", "/api/a", "/v10", "/v10"},
		"from outside to inside":  {"/v1", "/api", "/oauth", "/v1/a", "/api/a"},
		"the URL": {
			urlPath:  "/v1",
			basePath: "/api",
			sent:     "/api/a",
			location: "http://{host}/v1/login?x=1",
			want:     "/api/login?x=1",
		},
		"the URL, no path": {"/v1", "/api", "/api/a", "http://{host}", "/"},
		"the URL, capital letters": {
			urlPath:  "/v1",
			basePath: "/api",
			sent:     "/api/a",
			location: "HTTP://{host}/v1/login",
			want:     "/api/login",
		},
		"no scheme":                {"/v1", "/api", "/api/a", "//{host}/v1/login", "/api/login"},
		"relative":                 {"/v1", "/api", "/api/a/b", "c?d", "/api/a/c?d"},
		"relative, upwards":        {"/v1", "/a/b", "/a/b/c", "../login", "/login"},
		"query alone":              {"/v1", "/api", "/api/a", "?page=2", "/api/a?page=2"},
		"another host":             {"/v1", "/api", "/api/a", other, other},
		"another scheme":           {"/v1", "/api", "/api/a", "app://v1/login", "app://v1/login"},
		"not a URL":                {"/v1", "/api", "/api/a", "/%zz", "/%zz"},
		"URL without a path":       {"", "/api", "/api/a", "/login", "/api/login"},
		"the same, from outside":   {"", "/api", "/oauth", "/oauth/2", "/oauth/2"},
		"the same, to the root":    {"", "/api", "/api/a", "/", "/api/"},
		"no base path":             {"/v1", "", "/a", "/v1", "/"},
		"doubled slash is no host": {"", "", "/a", "http://{host}//evil.test/", "/.//evil.test/"},
		"and not in a base path": {
			urlPath:  "",
			basePath: "/api",
			sent:     "/api/a",
			location: "http://{host}//evil.test/",
			want:     "/api//evil.test/",
		},
		"colon is no scheme either": {"/v1", "/api", "/api/a", "/v1/x:y", "/api/x:y"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var location string
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Location"] = []string{location}
				w.Header()["Content-Location"] = []string{location}
				w.WriteHeader(http.StatusFound)
			})
			location = strings.ReplaceAll(tt.location, "{host}", hostOf(t, server.URL))
			f := newFront(t, setup{URL: server.URL + tt.urlPath, BasePath: tt.basePath})
			response, _ := f.get(t, tt.sent)
			if got := response.Header.Get("Location"); got != tt.want {
				t.Errorf("Location %s of the upstream has become %s, want %s",
					location, got, tt.want)
			}
			if got := response.Header.Get("Content-Location"); got != tt.want {
				t.Errorf("Content-Location %s of the upstream has become %s, want %s",
					location, got, tt.want)
			}
		})
	}
}

// An app reads the header of an answer that is no redirect, without resolving it. So an absolute URL
// stays absolute there, and leads to the host to which the client has sent the request.
func TestLocationThatAnAppReads(t *testing.T) {
	t.Parallel()
	const other = "https://files.example.com/v1/7"
	for name, tt := range map[string]struct {
		status   int
		location string // {host} stands for host and port of the upstream
		want     string // {front} stands for the origin of the front
	}{
		"created":            {201, "http://{host}/v1/a/7?b#c", "{front}/api/a/7?b#c"},
		"a success":          {200, "http://{host}/v1/a/7", "{front}/api/a/7"},
		"an error":           {409, "http://{host}/v1/a/7", "{front}/api/a/7"},
		"a choice":           {300, "http://{host}/v1/a/7", "{front}/api/a/7"},
		"not modified":       {304, "http://{host}/v1/a/7", "{front}/api/a/7"},
		"escaped":            {201, "http://{host}/v1/a%2Fb", "{front}/api/a%2Fb"},
		"outside":            {201, "http://{host}/oauth", "{front}/oauth"},
		"no path":            {201, "http://{host}", "{front}/"},
		"doubled slash":      {201, "http://{host}//a", "{front}//a"},
		"no scheme":          {201, "//{host}/v1/a/7", "{front}/api/a/7"},
		"a path":             {201, "/v1/a/7", "/api/a/7"},
		"relative":           {201, "7", "/api/7"},
		"another host":       {201, other, other},
		"moved permanently":  {301, "http://{host}/v1/a/7", "/api/a/7"},
		"found":              {302, "http://{host}/v1/a/7", "/api/a/7"},
		"see other":          {303, "http://{host}/v1/a/7", "/api/a/7"},
		"temporary redirect": {307, "http://{host}/v1/a/7", "/api/a/7"},
		"permanent redirect": {308, "http://{host}/v1/a/7", "/api/a/7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var location string
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Location"] = []string{location}
				w.Header()["Content-Location"] = []string{location}
				w.WriteHeader(tt.status)
			})
			location = strings.ReplaceAll(tt.location, "{host}", hostOf(t, server.URL))
			for _, isTLS := range []bool{false, true} {
				f := newFront(t, setup{URL: server.URL + "/v1", BasePath: "/api", IsTLS: isTLS})
				want := strings.ReplaceAll(tt.want, "{front}", f.URL)
				response, _ := f.get(t, "/api/a")
				for _, header := range []string{"Location", "Content-Location"} {
					if got := response.Header.Get(header); got != want {
						t.Errorf("with HTTPS %t, %s %s of the upstream has become %s, want %s",
							isTLS, header, location, got, want)
					}
				}
			}
		})
	}
}

// The host of an absolute URL is the one that the client has sent, which may be a name of its own.
// Without one, the URL is relative.
func TestLocationHasTheHostOfTheRequest(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://"+r.Host+"//a/7")
		w.WriteHeader(http.StatusCreated)
	})
	proxy := newProxy(t, setup{URL: server.URL})
	for host, want := range map[string]string{
		"fake.test:8642": "http://fake.test:8642//a/7",
		"[::1]:8642":     "http://[::1]:8642//a/7",
		"":               "/.//a/7",
	} {
		r := newRequest(t, http.MethodPost, "http://fake.test/a", nil)
		r.Host = host
		recorder := httptest.NewRecorder()
		_, err := proxy.Pass(recorder, r, upstream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := recorder.Header().Get("Location"); got != want {
			t.Errorf("for the host %q, Location is %s, want %s", host, got, want)
		}
	}
}

// The port of the scheme may be there, or not.
func TestLocationWithPortOfTheScheme(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		url, location, want string
	}{
		"in the answer": {"http://api.example.com/v1", "http://api.example.com:80/v1/a", "/api/a"},
		"in the URL":    {"http://api.example.com:80/v1", "http://API.example.com/v1/a", "/api/a"},
		"an empty port": {"http://api.example.com:/v1", "http://api.example.com/v1/a", "/api/a"},
		"another port": {
			url:      "http://api.example.com",
			location: "http://api.example.com:81/a",
			want:     "http://api.example.com:81/a",
		},
		"another scheme": {
			url:      "http://api.example.com",
			location: "https://api.example.com/a",
			want:     "https://api.example.com/a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", tt.location)
				w.WriteHeader(http.StatusSeeOther)
			})
			f := newFront(t, setup{URL: tt.url, BasePath: "/api", Dial: dialOnly(server)})
			response, _ := f.get(t, "/api/x")
			if got := response.Header.Get("Location"); got != tt.want {
				t.Errorf("Location is %s, want %s", got, tt.want)
			}
		})
	}
}
