package observe

import (
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// A body is what is known of the body of an answer without campaigns.
type body struct {
	Kind  string `json:"kind"`            // json, html, text or none
	Value any    `json:"value,omitempty"` // JSON, or text, with what may be said of it
}

// refused concludes how the service answers without campaigns. Either answer may be
// nil; what both say in the same words is kept.
func refused(setting string, first, second *answer) Traits {
	t := make(Traits)
	if !first.tells() {
		return t
	}
	t.set(setting+".status", first.status)
	if l, err := readListing(first.body); err == nil && first.status < 300 && len(l.campaigns) > 0 {
		return t // campaigns, which are no refusal
	}
	t.set(setting+".headers", refusedHeaders(first, second))
	t.set(setting+".body", bodyOf(first, second))
	return t
}

// refusedHeaders returns the headers that a client may depend on. A value that holds
// an address or a number is cut down to its scheme.
func refusedHeaders(first, second *answer) map[string]string {
	headers := make(map[string]string)
	if challenge := first.header.Get("WWW-Authenticate"); challenge != "" {
		if !isPlain(challenge) || second.ok() && second.header.Get("WWW-Authenticate") != challenge {
			challenge, _, _ = strings.Cut(challenge, " ")
		}
		if isPlain(challenge) {
			headers["WWW-Authenticate"] = challenge
		}
	}
	if kind := mediaType(first.header); kind != "" && len(first.body) > 0 {
		headers["Content-Type"] = kind
	}
	return headers
}

// mediaType returns the type of a body, without parameters.
func mediaType(header http.Header) string {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || !plainType().MatchString(kind) {
		return ""
	}
	return kind
}

var plainType = pattern(`^[a-z]+/[a-z0-9.+-]{1,60}$`)

// bodyOf concludes what a body is.
func bodyOf(first, second *answer) body {
	text := strings.TrimSpace(string(first.body))
	value, err := decode(first.body)
	switch {
	case text == "":
		return body{Kind: "none"}
	case err == nil:
		var other any
		if second.ok() {
			other, _ = decode(second.body)
		}
		return body{Kind: "json", Value: kept(value, other, first.status, 0)}
	case isHTML(first.body):
		return body{Kind: "html"}
	}
	if second.ok() && string(second.body) == string(first.body) && isPlain(text) {
		return body{Kind: "text", Value: text}
	}
	return body{Kind: "text", Value: ""}
}

// kept returns a value with its keys and types. A text stays if it came twice and is
// plain, and a number if it is the status. Others are emptied.
func kept(value, again any, status, depth int) any {
	switch value := value.(type) {
	case string:
		if value == again && isPlain(value) {
			return value
		}
	case json.Number:
		if number, err := value.Int64(); err == nil && number == int64(status) {
			return value
		}
	case map[string]any:
		shape := shapeOf(value, depth).(map[string]any)
		other, _ := again.(map[string]any)
		for key := range shape {
			shape[key] = kept(value[key], other[key], status, depth+1)
		}
		return shape
	case []any:
		other, _ := again.([]any)
		if len(value) > 0 && len(other) > 0 && depth < maxDepth {
			return []any{kept(value[0], other[0], status, depth+1)}
		}
	}
	return shapeOf(value, depth)
}

// corsOf concludes whose pages may read answers, and whether both answers show it. It
// returns nil if there is no answer to a preflight.
func corsOf(list, preflight *answer) (cors []string, both bool) {
	if !preflight.tells() {
		return nil, false
	}
	allows := func(a *answer, origin string) bool {
		allowed := a.header.Get("Access-Control-Allow-Origin")
		return allowed == "*" || allowed == origin
	}
	headers := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	passes := preflight.status < 300 && allows(preflight, localOrigin) && strings.Contains(headers, "authorization")
	switch {
	case !passes: // no page can send the token
		return []string{"off"}, !allows(list, madeUpOrigin)
	case allows(list, madeUpOrigin):
		return []string{"any"}, true
	}
	return []string{localOrigin}, false
}

// limitHeaders are the names of headers about limits.
var limitHeaders = []string{"X-Ratelimit", "Ratelimit", "X-Rate-Limit", "Retry-After"}

// limits returns the names of the headers of an answer that tell about limits.
func limits(a *answer) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		if slices.ContainsFunc(limitHeaders, func(start string) bool { return strings.HasPrefix(name, start) }) && isPlain(name) {
			found = append(found, name)
		}
	}
	return found
}

// challenged reports whether an answer is a firewall's, which wants to see a browser.
func challenged(a *answer) bool {
	return a.header.Get("Cf-Mitigated") != "" || a.header.Get("X-Amzn-Waf-Action") != "" ||
		isHTML(a.body) && a.status >= 400 && strings.Contains(strings.ToLower(a.header.Get("Server")), "cloudflare")
}
