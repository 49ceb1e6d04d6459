package observe

import (
	"cmp"
	"slices"
	"strings"
)

// seeCORS concludes whose pages may read answers, from those to a preflight, to the list and
// to a request without a token.
func (a *Asker) seeCORS(v *View, so answers) {
	preflight, again, refused := so[askBrowser.Name], so[askAgain.Name], so[askNoToken.Name]
	if !preflight.usable() {
		return
	}
	origin := cmp.Or(a.Origin, localOrigin)
	headers := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	passes := preflight.status < 300 && allows(preflight, origin) && (strings.Contains(headers, "authorization") || headers == "*")
	isReadable := a.Origin == "" || allows(so[askList.Name], origin)
	forAny := again.usable() && allows(again, madeUpOrigin)
	switch {
	case !passes || !isReadable: // no page can send the token, or read the answer
		v.facts["cors"], v.once["cors"] = "off", forAny
		return
	case forAny:
		v.facts["cors"] = "any"
	default:
		v.facts["cors"], v.once["cors"] = origin, !again.usable()
	}
	if a.Origin == "" {
		return
	}
	v.facts["cors.credentials"] = either(preflight.header.Get("Access-Control-Allow-Credentials") == "true", "sent", "not sent")
	v.facts["cors.exposed"] = exposed(again)
	if refused.usable() {
		v.facts["cors.errors"] = either(allows(refused, a.Origin), "readable", "not readable")
	}
}

func allows(a *answer, origin string) bool {
	allowed := a.header.Get("Access-Control-Allow-Origin")
	return allowed == "*" || allowed == origin
}

// exposed returns the headers that pages may read, as far as they may be shown.
func exposed(a *answer) string {
	if !a.usable() {
		return "none"
	}
	var names []string
	others := false
	for _, name := range strings.Split(a.header.Get("Access-Control-Expose-Headers"), ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(knownHeaders, func(known string) bool { return strings.EqualFold(known, name) })
		if i >= 0 {
			names = append(names, knownHeaders[i])
		}
		others = others || i < 0 && name != ""
	}
	if names = distinct(names); others {
		names = append(names, "others")
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}
