package control

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"net/url"
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
	return c.send(http.StatusOK, "text/html; charset=utf-8", page)
}

// sourceHash returns the source expression of a script or a style in a policy.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// redirectToPage redirects a browser to the page. The script of the page reads the parameters.
func redirectToPage(c *call) error {
	page := url.URL{Path: controlPath, RawQuery: c.r.URL.RawQuery}
	http.Redirect(c, c.r, page.String(), http.StatusFound)
	return nil
}
