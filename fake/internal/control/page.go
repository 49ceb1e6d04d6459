package control

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures"
)

// The page at /_fake/ is a client of the control plane: its script requests JSON and draws it in
// the browser. The style is part of the document, and the script is of modules, which the browser
// loads from the paths below scriptsPath. What is drawn from JSON is not laid out before it is
// there, so that the browser soon has something to paint.

//go:embed page
var pageFiles embed.FS

// styles are the files of the style. A rule overrides those before it.
var styles = []string{
	"base.css",
	"layout.css",
	"users.css",
	"user.css",
	"settings.css",
	"requests.css",
	"detail.css",
	"narrow.css",
}

// A page is a document of HTML, and the policy that is sent with it.
type page struct {
	html   []byte
	policy string
}

// wholePage returns the page, which is made at the first request for it.
var wholePage = sync.OnceValue(func() page {
	style := pageText(styles...)
	icon := base64.StdEncoding.EncodeToString([]byte(pageText("icon.svg")))
	html := strings.NewReplacer(
		"{{icon}}", "data:image/svg+xml;base64,"+icon,
		"{{style}}", style,
		"{{faults}}", faultOptions(),
	).Replace(pageText("page.html"))

	// Only the style of the document applies, only scripts of its own server run, and only that
	// server is asked.
	policy := []string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src " + hashSource(style),
		"img-src data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	}
	return page{html: []byte(html), policy: strings.Join(policy, "; ")}
})

// pageText returns the text of files of the page, one after the other.
func pageText(names ...string) string {
	var text strings.Builder
	for _, name := range names {
		file, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err) // it is part of the program
		}
		text.Write(file)
	}
	return text.String()
}

// faultOptions returns the options of the page for the faults that fixtures may have.
func faultOptions() string {
	options := ""
	for _, fault := range fixtures.Faults() {
		options += "<option>" + string(fault) + "</option>"
	}
	return options
}

// hashSource returns the source in a policy that allows a style by its hash.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// scriptRoutes returns a route for each module of the script of the page.
func scriptRoutes() []route {
	files, err := pageFiles.ReadDir("page")
	if err != nil {
		panic(err) // it is part of the program
	}
	var routes []route
	for _, file := range files {
		if path.Ext(file.Name()) != ".js" {
			continue
		}
		routes = append(routes, route{
			method: http.MethodGet,
			path:   scriptsPath + file.Name(),
			answer: getScript,
		})
	}
	return routes
}

// getScript answers with a module of the script of the page.
func getScript(c *call) error {
	script := pageText(path.Base(c.r.URL.Path))
	return c.send(http.StatusOK, "text/javascript; charset=utf-8", []byte(script))
}

// getPage answers with the page. Its script reads the parameters.
func getPage(c *call) error {
	page := wholePage()
	header := c.w.Header()
	header.Set("Content-Security-Policy", page.policy)
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	return c.send(http.StatusOK, "text/html; charset=utf-8", page.html)
}

// redirectToPage redirects a browser to the page, with the parameters.
func redirectToPage(c *call) error {
	page := url.URL{Path: pagePath, RawQuery: c.r.URL.RawQuery}
	http.Redirect(c.w, c.r, page.String(), http.StatusFound)
	return nil
}
