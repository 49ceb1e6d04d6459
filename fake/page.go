package fake

import (
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// The page at /_fake/ is a client of the control plane: its script requests JSON and
// draws it in the browser. Style and script are part of the page, so that it loads
// with one request. The script comes last, and what is drawn from JSON is not laid out
// before it is there, so that the browser soon has something to paint.

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/draw.js
	drawScript string
	//go:embed page/page.js
	pageScript string
)

// page is the page as it is served, with a Content-Security-Policy that allows only
// its own script and style, and requests to its own server.
var page = sync.OnceValues(func() (text, policy string) {
	style, script := compact(pageCSS), compact(drawScript+pageScript)
	text = strings.Replace(compact(pageHTML), "</style>", style+"</style>", 1)
	text = strings.Replace(text, "</script>", script+"</script>", 1)
	policy = "default-src 'none'; script-src " + sourceHash(script) + "; style-src " + sourceHash(style) +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return text, policy
})

// zipped is the text of the page, compressed.
var zipped = sync.OnceValue(func() string {
	text, _ := page()
	var out strings.Builder
	w := gzip.NewWriter(&out)
	w.Write([]byte(text)) // a Builder takes everything
	w.Close()
	return out.String()
})

// compact removes indentation, empty lines, and lines that are comments of a script.
func compact(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// sourceHash returns the source expression of a script or a style in a policy.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// getPage answers with the page. Its script reads the parameters.
func getPage(c *call) {
	if c.parameters("token", "request", "show", "rows").refused {
		return
	}
	text, policy := page()
	header := c.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	if c.r.Method == http.MethodGet && strings.Contains(c.r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		text = zipped()
	}
	header.Set("Content-Length", strconv.Itoa(len(text)))
	c.send(http.StatusOK, "text/html; charset=utf-8", []byte(text))
}

// redirectToPage redirects a browser to the page.
func redirectToPage(c *call) {
	c.Header().Set("Location", controlPath)
	c.WriteHeader(http.StatusFound)
}
