package upstream

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
)

// What is wrong with an upstream is told to the app, and by the log.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start func(*testing.T) (baseURL string)
		want  string
	}{
		"HTTP, where HTTPS is spoken": {
			func(t *testing.T) string {
				return strings.Replace(startSecureExpress(t), "https:", "http:", 1)
			},
			"If it speaks HTTPS, write its URL with https://.",
		},
		"HTTPS, where HTTP is spoken": {
			func(t *testing.T) string {
				return strings.Replace(startExpress(t), "http:", "https:", 1)
			},
			"does not speak TLS. Write its URL with http://",
		},
		"a certificate of before": {
			func(t *testing.T) string {
				return startWithCertificate(t, time.Now().Add(-time.Minute))
			},
			"has a certificate that is not valid now",
		},
		"nobody": {
			func(t *testing.T) string {
				return "http://" + process.Free(t)
			},
			"The upstream is not there: nothing listens at ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := startFake(t, tt.start(t))
			got := ask(t, "GET", fake.BaseURL+"/me", "", nil)
			if got.status != http.StatusBadGateway || !strings.Contains(got.body, tt.want) {
				t.Errorf("the answer is %d %s, want 502 and %q", got.status, got.body, tt.want)
			}
			fake.Stop()
			if said := fake.Output(); !strings.Contains(said, "not answered by the upstream") {
				t.Errorf("the log does not say that the upstream has failed:\n%s", said)
			}
		})
	}
}

// startWithCertificate starts a server whose certificate is valid until some time, and returns its
// base URL.
func startWithCertificate(t *testing.T, until time.Time) (baseURL string) {
	t.Helper()
	folder := t.TempDir()
	certificate, key := folder+"/certificate.pem", folder+"/key.pem"
	if err := certifyServer(certificate, key, until); err != nil {
		t.Fatal(err)
	}
	return startExpress(t, "CERTIFICATE="+certificate, "KEY="+key)
}

// A URL that leads back to the fake is told from others, also by way of another server.
func TestLoop(t *testing.T) {
	t.Parallel()
	target := new(url.URL)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
		},
	})
	t.Cleanup(proxy.Close)
	fake := startFake(t, proxy.URL)
	target.Scheme = "http"
	target.Host = fake.Address
	got := ask(t, "GET", fake.BaseURL+"/me", "", nil)
	want := "leads back to this server"
	if got.status != http.StatusLoopDetected || !strings.Contains(got.body, want) {
		t.Errorf("the answer is %d %s, want 508 and %q", got.status, got.body, want)
	}
}

// A URL that cannot be that of an upstream is refused at the start, and what is secret in it is not
// repeated.
func TestURLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://ada:s3cret@api.example.com": "has a user name or a password",
		"https:///v1":                        "has no host",
		"api.example.com/v1":                 "does not begin with http:// or https://",
		"ftp://api.example.com":              "does not begin with http:// or https://",
		"https://api.example.com?key=s3cret": "has a query",
		"https://api.example.com/#s3cret":    "has a fragment",
		"https://ada:s3cret@api example.com": "is not a URL",
	} {
		out, err := exec.Command(process.Program(), "--upstream", url).CombinedOutput()
		var exit *exec.ExitError
		said := string(out)
		isUsage := errors.As(err, &exit) && exit.ExitCode() == 2
		if !isUsage || !strings.Contains(said, want) || strings.Contains(said, "s3cret") {
			t.Errorf("%s: the command ends with %v, and prints\n%s", url, err, said)
		}
	}
}

// A setting that needs an upstream is refused where there is none, and accepted by check, which
// does not know how the fixtures will be served.
func TestSettingWithoutUpstream(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/fixtures.yaml"
	text := "service: {unknown_tokens: upstream}\nusers: {alice: {}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(process.Program(), "check", file).CombinedOutput(); err != nil {
		t.Errorf("check ends with %v:\n%s", err, out)
	}
	for _, tt := range []struct {
		args       []string
		wantStatus int
	}{
		{[]string{file}, 1}, // as for any other mistake in a file
		{[]string{"--unknown-tokens", "upstream"}, 2},
	} {
		out, err := exec.Command(process.Program(), tt.args...).CombinedOutput()
		var exit *exec.ExitError
		isRefused := errors.As(err, &exit) && exit.ExitCode() == tt.wantStatus
		if !isRefused || !strings.Contains(string(out), "--upstream") {
			t.Errorf("%s: the command ends with %v, want %d, and prints\n%s",
				tt.args, err, tt.wantStatus, out)
		}
	}
}
