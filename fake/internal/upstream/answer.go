package upstream

import (
	"context"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// errOtherProtocol is the failure of an upstream that changes to a protocol of its own accord.
var errOtherProtocol = errors.New("it changes to a protocol that was not asked for")

// rewriteAnswer makes an answer to the client of that of the upstream, whose header is complete.
func (x *exchange) rewriteAnswer(answer *http.Response) error {
	isUpgraded := answer.StatusCode == http.StatusSwitchingProtocols
	asked := answer.Request
	if isUpgraded && !strings.EqualFold(answer.Header.Get("Upgrade"), asked.Header.Get("Upgrade")) {
		return errOtherProtocol
	}

	header := answer.Header
	x.rewriteCookies(header["Set-Cookie"])
	x.rewriteLocation(header, "Location", asked.URL)
	x.rewriteLocation(header, "Content-Location", asked.URL)
	header.Del("Strict-Transport-Security")
	header.Del("Alt-Svc")
	if len(answer.Trailer) > 0 {
		header.Del("Content-Length") // HTTP/1 has trailers behind chunks alone
	}
	if x.options.ReplaceCORS {
		dropCORS(header)
	}
	if allowsCredentials(x.own) {
		x.own.Set("Access-Control-Expose-Headers", namesOf(header))
	}
	if isUpgraded {
		x.own.Del("Connection") // that of the upgrade is the only one
	}
	for name, values := range x.own {
		header[name] = slices.Concat(values, header[name])
	}

	if x.requestBody != nil && !x.requestBody.isRead.Load() {
		// Otherwise net/http would read the rest of the body before it sends the header, so that
		// the upstream would not receive it.
		header.Set("Connection", "close")
	}

	x.isStream = isUpgraded || isEventStream(header)
	if x.isStream {
		x.forget = context.AfterFunc(x.proxy.ending, x.cancel)
	}
	if !isUpgraded {
		x.answerBody = &answerBody{ReadCloser: answer.Body}
		answer.Body = x.answerBody
	}
	x.begun = true
	if x.options.Begin != nil {
		x.options.Begin(Answer{
			Status:   answer.StatusCode,
			Header:   header,
			Length:   answer.ContentLength,
			IsStream: x.isStream,
		})
	}
	return nil
}

// rewriteLocation makes the URL in a header ours if it is one of the upstream. asked is the URL of
// the request, to which the header may be relative.
func (x *exchange) rewriteLocation(header http.Header, name string, asked *url.URL) {
	location := header.Get(name)
	if location == "" {
		return
	}
	u, err := asked.Parse(location)
	if err != nil || originOf(u) != originOf(x.proxy.url) {
		return
	}
	path := x.paths.back(rooted(u.EscapedPath()))
	if strings.HasPrefix(path, "//") {
		path = "/." + path // or what follows would be a host
	}
	ours := &url.URL{
		RawQuery:    u.RawQuery,
		ForceQuery:  u.ForceQuery,
		Fragment:    u.Fragment,
		RawFragment: u.RawFragment,
	}
	setPath(ours, path)
	header.Set(name, ours.String())
}

const corsPrefix = "Access-Control-"

// dropCORS removes the CORS headers of the upstream.
func dropCORS(header http.Header) {
	for name := range header {
		if strings.HasPrefix(name, corsPrefix) {
			delete(header, name)
		}
	}
}

// allowsCredentials reports whether CORS headers allow a page to send cookies.
func allowsCredentials(header http.Header) bool {
	return header.Get("Access-Control-Allow-Credentials") == "true"
}

// namesOf returns the names of the headers that a page may read, for
// Access-Control-Expose-Headers: an asterisk there means nothing where credentials are sent.
func namesOf(header http.Header) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if name != "Set-Cookie" && !strings.HasPrefix(name, corsPrefix) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// isEventStream reports whether an answer has server-sent events.
func isEventStream(header http.Header) bool {
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	return mediaType == "text/event-stream"
}
