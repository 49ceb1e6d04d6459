package observe

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// answers are those to questions, by their names. One that is nil could not be asked.
type answers map[string]*answer

// to returns the answers to a question that is asked once more, as far as they show how the
// service is set up, and whether it was asked once more.
func (so answers) to(a *Asker, q Question) (usable []*answer, isRepeated bool) {
	first := so[q.Name]
	if !first.usable() {
		return nil, false
	}
	second, isRepeated := so[q.confirm().Name]
	if plainly := so[askPlainly.Name]; q.Name == askNoToken.Name && a.alike(first, plainly) {
		second = plainly
	}
	if !second.usable() {
		return []*answer{first}, isRepeated
	}
	return []*answer{first, second}, isRepeated
}

// seeRefusals describes the answers to what is not answered with campaigns: each, and those
// together that are alike.
func (v *View) seeRefusals(b *builder, so answers) {
	bodies := make(map[string][]any)
	for _, r := range refusals {
		if answers, isRepeated := so.to(b.Asker, r.question); len(answers) > 0 {
			bodies[r.name] = v.settle(b, r.name, answers, isRepeated)
		}
	}
	for _, r := range refusals {
		var together []any
		v.alike = nil
		for _, other := range refusals {
			first, second := v.errors[r.name], v.errors[other.name]
			if first != nil && first.is("object") && first.isLike(second) && !v.isOnce("responses."+other.name) {
				together = append(together, bodies[other.name]...)
				v.alike = append(v.alike, other.name)
			}
		}
		if len(v.alike) > 1 {
			v.common = b.tree("responses.default.body", together)
			return
		}
	}
}

// settle decides whether answers are refusals: the list, which would stand where it
// stands in the good answer, is not there. If they are, it describes them, and returns their
// bodies.
func (v *View) settle(b *builder, name string, answers []*answer, isRepeated bool) (bodies []any) {
	lists := 0
	for _, a := range answers {
		bodies = append(bodies, bodyOf(a))
		if listAt(a.body, v.merged.path) != nil {
			lists++
		}
	}
	setting, fact := name, either(lists > 0, "answered with campaigns", "refused")
	if name == "invalid_token" {
		setting, fact = "unknown_tokens", either(lists > 0, "generate", "reject")
		if v.Empty() && lists == 0 && answers[0].status < 300 {
			return nil // an empty list, too, or a refusal
		}
	}
	isOnce := isRepeated && len(answers) == 1
	v.facts[setting] = fact
	v.once[setting] = isOnce || lists == 1 && len(answers) == 2
	if lists > 0 {
		return nil
	}
	at := "responses." + name
	first, last := answers[0], answers[len(answers)-1]
	v.once[at] = isOnce || first.status != last.status
	v.facts[at+".status"] = strconv.Itoa(first.status)
	if challenge := b.challenge(first.header); challenge == b.challenge(last.header) {
		v.facts[at+".headers.WWW-Authenticate"] = challenge
	}
	if len(first.body) > 0 {
		v.facts[at+".headers.Content-Type"] = b.mediaType(first.header)
	}
	v.errors[name] = b.tree(at+".body", bodies)
	return bodies
}

// isLike reports whether two values have the same keys and types.
func (n *node) isLike(other *node) bool {
	if other == nil || len(n.keys) != len(other.keys) || !slices.Equal(n.typesOf(), other.typesOf()) {
		return false
	}
	for key, inner := range n.keys {
		if !inner.isLike(other.keys[key]) {
			return false
		}
	}
	return n.items == nil || other.items == nil || n.items.isLike(other.items)
}

// bodyOf returns what the body of an answer is.
func bodyOf(a *answer) any {
	text := strings.TrimSpace(string(a.body))
	value, err := decode(a.body)
	switch {
	case text == "":
		return nothing{}
	case err == nil:
		return value
	}
	if markup := markupIn(a.body); markup != nil {
		return markup
	}
	return plain(text)
}

// mediaType returns the type of a body, without parameters: "none" if it has none.
func (a *Asker) mediaType(header http.Header) string {
	written := header.Get("Content-Type")
	if written == "" {
		return "none"
	}
	kind, _, err := mime.ParseMediaType(written)
	switch {
	case err != nil:
		return "not a type"
	case a.Own, slices.Contains(knownTypes, kind), a.mayShow(kind):
		return kind
	case strings.HasSuffix(kind, "+json"):
		return "another type of JSON"
	}
	return "another type"
}

// isMediaType reports whether what mediaType returned is a type.
func isMediaType(kind string) bool { return strings.Contains(kind, "/") }

// schemes are those of challenges.
var schemes = []string{"Bearer", "Basic", "Digest", "Token", "OAuth", "JWT", "ApiKey", "Negotiate", "DPoP", "Hawk", "JSON"}

var errorParameter = words.Pattern(`(?i)\berror\s*=\s*"?([^",\s]*)"?`)

// challenge returns the scheme and the error of WWW-Authenticate, as far as they may be
// shown: "none" if there is no such header.
func (a *Asker) challenge(header http.Header) string {
	written := strings.Join(header.Values("WWW-Authenticate"), ", ")
	if written == "" {
		return "none"
	}
	scheme, _, _ := strings.Cut(written, " ")
	scheme = strings.TrimSuffix(scheme, ",")
	i := slices.IndexFunc(schemes, func(known string) bool { return strings.EqualFold(known, scheme) })
	if i < 0 {
		return "another scheme"
	}
	parameter := errorParameter().FindStringSubmatch(written)
	switch {
	case parameter == nil:
		return schemes[i]
	case a.mayShow(parameter[1]):
		return schemes[i] + ` error="` + parameter[1] + `"`
	}
	return schemes[i] + " with another error"
}

// isChallenge reports whether what challenge returned can be sent.
func isChallenge(challenge string) bool {
	scheme, rest, _ := strings.Cut(challenge, " ")
	return slices.Contains(schemes, scheme) && (rest == "" || strings.HasPrefix(rest, "error="))
}

// limitHeaders are the beginnings of names of headers about limits.
var limitHeaders = []string{"X-Ratelimit", "Ratelimit", "X-Rate-Limit", "Retry-After"}

// known returns the names of the known headers of an answer: those about limits, or others.
func known(a *answer, ofLimits bool) (found []string) {
	for _, name := range knownHeaders {
		isLimit := slices.ContainsFunc(limitHeaders, func(start string) bool { return strings.HasPrefix(name, start) })
		if isLimit == ofLimits && a.header.Get(name) != "" {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// challenged reports whether an answer is a firewall's, which wants to see a browser.
func challenged(a *answer) bool {
	return a.header.Get("Cf-Mitigated") != "" || a.header.Get("X-Amzn-Waf-Action") != "" ||
		markupIn(a.body) == page{} && a.status >= 400 && strings.Contains(strings.ToLower(a.header.Get("Server")), "cloudflare")
}
