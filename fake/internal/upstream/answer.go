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

// errOtherProtocol is the failure of an upstream that changes to a protocol that the client has not
// asked for.
var errOtherProtocol = errors.New("it changes to a protocol that was not asked for")

// rewriteAnswer turns the answer of the upstream into the answer to the client. ReverseProxy calls
// it when the header has arrived, and sends the header afterwards.
func (t *transfer) rewriteAnswer(answer *http.Response) error {
	err := checkAnswer(answer)
	if err != nil {
		return err
	}
	t.answer = kindOf(answer)
	t.rewriteHeader(answer)
	if t.answer == upgradedConnection {
		// The upgrade has a Connection header, and needs that one alone.
		t.callerHeader.Del("Connection")
	} else {
		t.rewriteBody(answer)
	}
	for name, values := range t.callerHeader {
		answer.Header[name] = slices.Concat(values, answer.Header[name])
	}
	if t.answer.isStream() {
		t.stopWatching = context.AfterFunc(t.proxy.ending, t.cancel)
	}
	if t.options.Begin != nil {
		t.options.Begin(ResponseHead{
			Status:   answer.StatusCode,
			Header:   answer.Header,
			Length:   answer.ContentLength,
			IsStream: t.answer.isStream(),
		})
	}
	return nil
}

// checkAnswer returns why an answer cannot be passed back, and nil if it can.
func checkAnswer(answer *http.Response) error {
	if answer.StatusCode < 100 {
		return fmt.Errorf("its status is %03d, and HTTP has none below 100", answer.StatusCode)
	}
	isUpgraded := answer.StatusCode == http.StatusSwitchingProtocols
	if !isUpgraded {
		return nil
	}
	asked := answer.Request.Header.Get("Upgrade")
	isAsked := asked != "" && strings.EqualFold(answer.Header.Get("Upgrade"), asked)
	if !isAsked {
		return errOtherProtocol
	}
	return nil
}

// kindOf returns the kind of an answer.
func kindOf(answer *http.Response) answerKind {
	switch {
	case answer.StatusCode == http.StatusSwitchingProtocols:
		return upgradedConnection
	case isEventStream(answer.Header):
		return eventStream
	}
	return ordinaryAnswer
}

// rewriteHeader changes the headers that are true of the upstream alone. It drops the CORS headers
// if the caller has its own.
func (t *transfer) rewriteHeader(answer *http.Response) {
	header := answer.Header
	t.rewriteCookies(header["Set-Cookie"])
	t.rewriteLocation(answer, "Location")
	t.rewriteLocation(answer, "Content-Location")
	header.Del("Strict-Transport-Security")
	header.Del("Alt-Svc")
	if t.options.ReplaceCORS {
		dropCORS(header)
	}
	if allowsCredentials(t.callerHeader) {
		t.callerHeader.Set("Access-Control-Expose-Headers", namesOf(header))
	}
}

// rewriteBody watches how the body ends, and sets the headers that say how it is sent.
func (t *transfer) rewriteBody(answer *http.Response) {
	t.answerBody = &answerBody{ReadCloser: answer.Body}
	answer.Body = t.answerBody
	if answer.Header["Content-Type"] == nil {
		t.writer.Header()["Content-Type"] = nil // without this, net/http would guess one
	}
	if len(answer.Trailer) > 0 {
		answer.Header.Del("Content-Length") // HTTP/1 has trailers only behind chunks
	}
	isUploading := t.requestBody != nil && !t.requestBody.isRead.Load()
	if isUploading {
		// Without this, net/http would read the rest of the request's body before it sends the
		// header, and the upstream would not receive that rest.
		t.callerHeader.Set("Connection", "close")
	}
}

// rewriteLocation turns a URL of the upstream in a header into our URL for the same thing. Other
// URLs stay. The header may be relative to the URL of the request.
//
// Our URL is relative in a redirect, which the client resolves, also behind another proxy. In other
// answers an app reads the header itself, and a relative URL would lead it to the origin of its own
// page. So there our URL is absolute if that of the upstream is.
func (t *transfer) rewriteLocation(answer *http.Response, name string) {
	location := answer.Header.Get(name)
	if location == "" {
		return
	}
	written, err := url.Parse(location)
	if err != nil {
		return
	}
	u := answer.Request.URL.ResolveReference(written)
	if originOf(u) != originOf(t.proxy.url) {
		return
	}
	ours := &url.URL{
		RawQuery:    u.RawQuery,
		ForceQuery:  u.ForceQuery,
		Fragment:    u.Fragment,
		RawFragment: u.RawFragment,
	}
	path := t.paths.back(rooted(u.EscapedPath()))
	isAbsolute := written.Host != "" && !isRedirect(answer.StatusCode)
	isHostKnown := t.received.Host != "" // a client of HTTP/1.0 may send none
	if isAbsolute && isHostKnown {
		ours.Scheme = schemeOf(t.received)
		ours.Host = t.received.Host
	} else if strings.HasPrefix(path, "//") {
		path = "/." + path // two slashes at the start would make the next part a host
	}
	setPath(ours, path)
	answer.Header.Set(name, ours.String())
}

// isRedirect reports whether clients follow the Location of an answer with a status by themselves.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently,
		http.StatusFound,
		http.StatusSeeOther,
		http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		return true
	}
	return false
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
// Access-Control-Expose-Headers. An asterisk would have no effect there, because browsers ignore it
// where credentials are sent.
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
