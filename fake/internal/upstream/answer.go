package upstream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// errOtherProtocol is the failure of an upstream that changes to a protocol of its own accord.
var errOtherProtocol = errors.New("it changes to a protocol that was not asked for")

// rewriteAnswer makes an answer to the client of that of the upstream. ReverseProxy calls it when
// the header is complete, and sends that next.
func (x *exchange) rewriteAnswer(answer *http.Response) error {
	if answer.StatusCode < 100 {
		return fmt.Errorf("its status is %03d, and HTTP has none below 100", answer.StatusCode)
	}
	isUpgraded := answer.StatusCode == http.StatusSwitchingProtocols
	protocol := answer.Request.Header.Get("Upgrade")
	if isUpgraded && !strings.EqualFold(answer.Header.Get("Upgrade"), protocol) {
		return errOtherProtocol
	}
	x.rewriteHeader(answer)
	if isUpgraded {
		x.own.Del("Connection") // that of the upgrade is the only one
	} else {
		x.rewriteBody(answer)
	}
	for name, values := range x.own {
		answer.Header[name] = slices.Concat(values, answer.Header[name])
	}
	x.answer = kindOf(answer)
	if x.answer.isStream() {
		x.forget = context.AfterFunc(x.proxy.ending, x.cancel)
	}
	if x.options.Begin != nil {
		x.options.Begin(Answer{
			Status:   answer.StatusCode,
			Header:   answer.Header,
			Length:   answer.ContentLength,
			IsStream: x.answer.isStream(),
		})
	}
	return nil
}

// kindOf returns what an answer is.
func kindOf(answer *http.Response) answerKind {
	switch {
	case answer.StatusCode == http.StatusSwitchingProtocols:
		return upgradedConnection
	case isEventStream(answer.Header):
		return eventStream
	}
	return ordinaryAnswer
}

// rewriteHeader changes what is true of the upstream alone, and leaves the CORS headers to the
// caller if it has some.
func (x *exchange) rewriteHeader(answer *http.Response) {
	header := answer.Header
	x.rewriteCookies(header["Set-Cookie"])
	x.rewriteLocation(header, "Location", answer.Request.URL)
	x.rewriteLocation(header, "Content-Location", answer.Request.URL)
	header.Del("Strict-Transport-Security")
	header.Del("Alt-Svc")
	if x.options.ReplaceCORS {
		dropCORS(header)
	}
	if allowsCredentials(x.own) {
		x.own.Set("Access-Control-Expose-Headers", namesOf(header))
	}
}

// rewriteBody has the end of the body noted, and sets the headers that say how it is sent.
func (x *exchange) rewriteBody(answer *http.Response) {
	x.answerBody = &answerBody{ReadCloser: answer.Body}
	answer.Body = x.answerBody
	if answer.Header["Content-Type"] == nil {
		x.writer.Header()["Content-Type"] = nil // otherwise net/http would guess one
	}
	if len(answer.Trailer) > 0 {
		answer.Header.Del("Content-Length") // HTTP/1 has trailers behind chunks alone
	}
	isUploading := x.requestBody != nil && !x.requestBody.isRead.Load()
	if isUploading {
		// Otherwise net/http would read the rest of the request's body before it sends the
		// header, so that the upstream would not receive it.
		x.own.Set("Connection", "close")
	}
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
