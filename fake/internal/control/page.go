package control

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
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

// getPage answers with the page, and a Content-Security-Policy that allows only its own
// script and style, and requests to its own server. The script reads the parameters.
func getPage(c *call) error {
	script := drawScript + pageScript
	page := []byte(strings.NewReplacer("</style>", pageCSS+"</style>", "</script>", script+"</script>").Replace(pageHTML))
	header := c.Header()
	header.Set("Content-Security-Policy", "default-src 'none'; script-src "+sourceHash(script)+"; style-src "+sourceHash(pageCSS)+
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	if c.r.Method == http.MethodGet && strings.Contains(c.r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		page = zipped(page)
	}
	header.Set("Content-Length", strconv.Itoa(len(page)))
	return c.send(http.StatusOK, "text/html; charset=utf-8", page)
}

func zipped(text []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(text) // a Buffer takes everything
	w.Close()
	return out.Bytes()
}

// sourceHash returns the source expression of a script or a style in a policy.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageParameters are those that the script of the page reads.
const pageParameters = "token, request, show, search, rows"

// redirectToPage redirects a browser to the page, with those parameters of its query that
// the page has. Others are left out, because editors that show a page add their own.
func redirectToPage(c *call) error {
	query := c.r.URL.Query()
	known := strings.Split(pageParameters, ", ")
	maps.DeleteFunc(query, func(name string, _ []string) bool { return !slices.Contains(known, name) })
	page := url.URL{Path: controlPath, RawQuery: query.Encode()}
	c.Header().Set("Location", page.String())
	c.WriteHeader(http.StatusFound)
	return nil
}
