package control

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures"
)

// The page at /_fake/ is a client of the control plane: its script requests JSON and draws it in
// the browser. Style and script are part of the document, so that no request for them can fail. The
// browser paints the header at once. The other parts stay hidden until the script has drawn them.

//go:embed page
var pageFiles embed.FS

// styles lists the files of the style in order: a rule overrides the rules in earlier files.
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

// scripts lists the files of the script. They share one scope, so their order does not matter. Only
// page.js has to be last: it starts the page and needs the other files.
var scripts = []string{
	"texts.js",
	"elements.js",
	"notices.js",
	"clipboard.js",
	"address.js",
	"server.js",
	"list.js",
	"state.js",
	"refresh.js",
	"failure.js",
	"users.js",
	"held.js",
	"replies.js",
	"form.js",
	"like.js",
	"user.js",
	"selection.js",
	"detail.js",
	"requests.js",
	"nothing.js",
	"settings.js",
	"navigation.js",
	"page.js",
}

// A page is an HTML document, and the Content-Security-Policy that is sent with it.
type page struct {
	html   []byte
	policy string
}

// wholePage returns the page. It makes the page at the first call.
var wholePage = sync.OnceValue(func() page {
	style := pageText(styles...)
	script := inBlock(pageText(scripts...))
	icon := base64.StdEncoding.EncodeToString([]byte(pageText("icon.svg")))
	html := strings.NewReplacer(
		"{{icon}}", "data:image/svg+xml;base64,"+icon,
		"{{style}}", style,
		"{{script}}", script,
		"{{faults}}", faultOptions(),
	).Replace(pageText("page.html"))

	// The policy allows no style or script except those of this document. It allows requests only
	// to the server that has sent the document.
	policy := []string{
		"default-src 'none'",
		"script-src " + hashSource(script),
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
			panic(err) // cannot happen: the text is part of the program
		}
		text.Write(file)
	}
	return text.String()
}

// inBlock puts the script into a block of strict code, so that its names are not global. If two
// files declare the same name, the browser refuses the whole script. So nobody overlooks that a
// function of one file would replace a function of another file.
func inBlock(script string) string {
	return "\"use strict\";\n{\n" + script + "}\n"
}

// faultOptions returns an HTML option for each fault that fixtures may have.
func faultOptions() string {
	options := ""
	for _, fault := range fixtures.Faults() {
		options += "<option>" + string(fault) + "</option>"
	}
	return options
}

// hashSource returns the part of a policy that allows a style or a script by its hash.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// getPage answers with the page. The parameters of the URL are for its script in the browser.
func getPage(c *call) error {
	page := wholePage()
	header := c.w.Header()
	header.Set("Content-Security-Policy", page.policy)
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	return c.send(http.StatusOK, "text/html; charset=utf-8", page.html)
}

// redirectToPage redirects a browser to the page, and keeps the parameters of the URL.
func redirectToPage(c *call) error {
	page := url.URL{Path: pagePath, RawQuery: c.r.URL.RawQuery}
	http.Redirect(c.w, c.r, page.String(), http.StatusFound)
	return nil
}
