package observe

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// generalWords are words of HTTP, of links and of frameworks that say nothing about an error,
// in small letters.
var generalWords = strings.Split(`error|errors|fail|failed|failure|success|successful|ok|okay|none|null|unknown|exception|warning|info|fatal|bearer|basic|digest|token|
about:blank|list|collection|campaign|campaigns|object|array|string|number|integer|boolean|page|paged|cursor|next|prev|self|first|last|data|item|items|results|record|records|node|edge|edges|connection|resource|en|en-us|en-gb|asc|desc|json|xml|html|text|api|v1|v2|1.0|1.1|2.0|true|false|yes|no|get|
post|put|patch|delete|head|options`, "|")

// relations are those of links that many services have, in small letters. As data, such a word
// may say something about the service, so they may be shown as relations alone.
var relations = strings.Split(`about|alternate|author|canonical|copyright|describedby|edit|edit-form|help|icon|index|latest-version|license|original|parent|payment|preview|previous|profile|related|replies|search|service|start|tag|type|up|via|create|update|cancel|approve|reject|activate|pause|resume|archive|publish|duplicate|send|content|report|reports`, "|")

// errorWords are words and phrases of HTTP and of frameworks that say what went wrong, in
// small letters and without a point at the end.
var errorWords = strings.Split(`invalid_token|invalid_request|insufficient_scope|invalid_client|invalid_grant|unauthorized_client|access_denied|unsupported_grant_type|invalid_scope|server_error|temporarily_unavailable|
unauthenticated|unauthorized|forbidden|not_found|notfound|bad_request|badrequest|method_not_allowed|methodnotallowed|too_many_requests|toomanyrequests|rate_limited|rate_limit_exceeded|rate_limit|conflict|gone|internal_error|internal_server_error|service_unavailable|
not_authenticated|authentication_failed|permission_denied|token_not_valid|token_expired|expired_token|missing_token|no_token|token_missing|invalid_credentials|missing_credentials|authentication_required|authentication_error|authorization_error|auth_error|invalid_request_error|api_error|invalid_auth|not_authed|invalid_api_key|invalid_session_id|invalid_authentication|expired_authentication|unauthorized_error|unauthorizederror|notfounderror|forbiddenerror|authenticationerror|jsonwebtokenerror|tokenexpirederror|httperror|httpexception|oauthexception|graphmethodexception|resource_not_found|resource_missing|record_not_found|no_such_resource|no_route|route_not_found|object_not_found|objectnotfound|path_not_found|url_not_found|endpoint_not_found|missing_authorization|not_authorized|notauthorized|user_not_authorized|
authentication credentials were not provided|invalid token|invalid token header|invalid access token|invalid bearer token|invalid or expired token|invalid credentials|invalid api key|invalid authentication credentials|invalid authentication token|invalid oauth access token|invalid signature|invalid request|not authenticated|not authorized|could not validate credentials|given token not valid for any token type|token is invalid or expired|token is invalid|token has expired|token expired|token not found|token not provided|token missing|missing token|missing bearer token|missing authorization header|missing authentication token|missing credentials|no token provided|no token|no auth token|no authorization token was found|no authorization header|authorization header is missing|authorization header missing|authorization required|authentication required|authentication failed|authentication is required|access token is missing|access token is invalid|the access token is invalid|the access token expired|the access token is missing|the token is invalid|the token has expired|the access token is invalid or has expired|signature has expired|signature verification failed|jwt expired|jwt malformed|jwt must be provided|session expired or invalid|bad credentials|bad token|access denied|access is denied|permission denied|you are not authorized|you are not authenticated|you need to sign in or sign up before continuing|you do not have permission to perform this action|this action is unauthorized|full authentication is required to access this resource|login required|please log in|
server error|page not found|resource not found|record not found|route not found|path not found|url not found|endpoint not found|object not found|the requested resource was not found|the requested resource could not be found|the requested url was not found on the server|no message available|no such endpoint|unknown endpoint|unknown path|unknown route|not found error|nothing here|nothing matches the given uri|no route matches|no handler found|too many attempts|rate limit exceeded|404 page not found|404 not found|
https://tools.ietf.org/html/rfc7235#section-3.1|https://tools.ietf.org/html/rfc7231#section-6.5.1|https://tools.ietf.org/html/rfc7231#section-6.5.3|https://tools.ietf.org/html/rfc7231#section-6.5.4|https://tools.ietf.org/html/rfc9110#section-15.5.1|https://tools.ietf.org/html/rfc9110#section-15.5.2|https://tools.ietf.org/html/rfc9110#section-15.5.4|https://tools.ietf.org/html/rfc9110#section-15.5.5`, "|")

// knownStatuses are statuses that campaigns have in many services, in plain letters.
var knownStatuses = strings.Fields(`draft drafted new planned pending inreview review approved rejected scheduled queued ready active enabled live running started inprogress ongoing sending sent delivered
paused suspended stopped onhold disabled inactive completed complete done finished ended closed expired archived deleted removed canceled cancelled aborted failed error published unpublished open won lost`)

// knownTexts are the known words, statuses and reason phrases in small letters: texts that
// reveal nothing about the service that sends them.
var knownTexts = sync.OnceValue(func() map[string]bool {
	known := make(map[string]bool)
	for _, word := range slices.Concat(generalWords, errorWords) {
		known[strings.TrimSpace(word)] = true
	}
	for status := http.StatusBadRequest; status <= http.StatusNetworkAuthenticationRequired; status++ {
		phrase := strings.ToLower(http.StatusText(status))
		known[phrase], known[letters(phrase)], known[strings.ReplaceAll(phrase, " ", "_")] = true, true, true
	}
	delete(known, "") // of a status that nobody uses
	return known
})

// isKnownWord reports whether a text is one of the known words and phrases.
func isKnownWord(text string) bool {
	const longest = 100
	return len(text) <= longest && knownTexts()[strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!"))] || isKnownStatus(text)
}

// isGeneralWord reports whether a text says nothing about an error.
func isGeneralWord(text string) bool { return isAmong(text, generalWords) }

// isRelation reports whether a text is one of the relations.
func isRelation(text string) bool { return isAmong(text, relations) }

// isAmong reports whether a text is one of some words, whatever its case, and with or without
// what ends a sentence.
func isAmong(text string, list []string) bool {
	plain := strings.TrimRight(strings.TrimSpace(text), ".!")
	return slices.ContainsFunc(list, func(word string) bool { return strings.EqualFold(strings.TrimSpace(word), plain) })
}

func isKnownStatus(text string) bool {
	return len(text) <= maxValue && isStatusWord(text) && slices.Contains(knownStatuses, letters(text))
}

// isStatusWord reports whether a text is written as statuses are: letters, with signs
// or spaces between words.
var isStatusWord = pattern(`^\pL[\pL _-]{0,29}$`)

// knownTypes are types of bodies.
var knownTypes = []string{
	"application/json", "application/problem+json", "application/vnd.api+json", "application/hal+json", "application/ld+json", "application/vnd.error+json",
	"application/xml", "text/html", "text/plain", "text/json", "text/xml", "application/json+hal", "application/javascript", "text/javascript", "application/octet-stream",
}

// knownHeaders are headers that a service may expose to pages.
var knownHeaders = strings.Fields(`Link Location Etag Date Content-Length Content-Range Content-Encoding Retry-After X-Request-Id X-Correlation-Id X-Total-Count X-Total X-Page X-Per-Page X-Next-Page X-Prev-Page X-Total-Pages
X-Ratelimit-Limit X-Ratelimit-Remaining X-Ratelimit-Reset Ratelimit Ratelimit-Limit Ratelimit-Remaining Ratelimit-Reset Ratelimit-Policy X-Rate-Limit-Limit X-Rate-Limit-Remaining X-Rate-Limit-Reset Www-Authenticate`)

// codeKeys are keys of errors whose whole numbers are codes.
var codeKeys = strings.Fields("code errorcode errcode errno error status statuscode subcode errorsubcode httpstatus httpcode httpstatuscode")

func isCodeKey(key string) bool { return slices.Contains(codeKeys, letters(key)) }

// plainKeys are keys of objects of many kinds, whatever values campaigns have.
var plainKeys = strings.Fields("email url href link type kind value code amount currency count key text description label display locale language country timezone")

// isPlainKey reports whether a key is never data.
func isPlainKey(key string) bool {
	field := means(key)
	return field != "" || slices.Contains(plainKeys, letters(key))
}

// framework are beginnings of keys that are written with a point.
var framework = []string{"@odata.", "odata.", "hydra:"}

var (
	isKeyLike    = pattern(`^\pL[\pL\pN_:-]*$`)
	hasLongRun   = pattern(`\pL{25,}|\p{Lu}{13,}`)
	hasRandomRun = pattern(`\pL*\d+\pL+\d+\pL*`)
)

// isOddKey reports whether a key looks like data: an id, a date, an address, or words.
func isOddKey(key string) bool {
	switch field := means(key); {
	case key == "$fake" || key == "$text" || key == "$value": // of directives
		return true
	case field != "" && len(key) <= maxValue:
		return false
	}
	if property, annotation, ok := strings.Cut(key, "@"); ok && property != "" && strings.HasPrefix(strings.ToLower(annotation), "odata.") {
		return isOddKey(property) || isOddKey(strings.ReplaceAll(annotation, ".", ""))
	}
	for _, beginning := range framework {
		if rest, ok := strings.CutPrefix(key, beginning); ok && rest != "" {
			key = rest
			break
		}
	}
	key = strings.TrimLeft(key, "_$@#")
	digits := 0
	for _, r := range key {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return !isKeyLike(key) || len(key) > 48 || digits > 3 || hasLongRun(spaced(key)) || hasRandomRun(key)
}

// spaced returns a name with spaces where its spaced begin.
func spaced(name string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
