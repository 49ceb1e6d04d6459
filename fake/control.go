package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
	"github.com/gorilla/mux"
)

// The control plane is what stands under /_fake/: JSON with the names of YAML, for
// those who test against the server from outside of its process.

const (
	// controlBytes bounds the body of a request to the control plane.
	controlBytes = 8 << 20

	// controlPatience is how long a body may take to arrive.
	controlPatience = 30 * time.Second

	// controlUsers bounds how many users there can be when one is put.
	controlUsers = 10_000

	// listedRequests is how many requests an answer lists unless told otherwise,
	// and listedMost how many at most.
	listedRequests, listedMost = 100, 1000
)

// Control returns the control plane as a handler of its own, for a listener of its
// own: what is under /_fake/, and nothing else, whatever WithoutControl says. It
// answers no pages of other origins and, on the loopback interface, to no names
// but those of this machine.
func (s *Server) Control() http.Handler {
	router := mux.NewRouter()
	routes := s.controlRoutes()
	s.routeControl(router, routes)
	router.NotFoundHandler = handle(func(x *exchange) { x.nothingHere(routes) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, router) })
}

// A controlRoute is what one path of the control plane answers, by method.
type controlRoute map[string]func(*exchange)

// controlRoutes are the paths of the control plane.
func (s *Server) controlRoutes() map[string]controlRoute {
	return map[string]controlRoute{
		healthPath:        {"GET": s.health},
		"/_fake/users":    {"GET": s.getUsers, "PUT": s.putUser, "DELETE": s.deleteUser},
		"/_fake/replies":  {"GET": s.getReplies, "POST": s.postReplies, "DELETE": s.deleteReplies},
		"/_fake/requests": {"GET": s.getRequests, "DELETE": s.deleteRequests},
		"/_fake/reset":    {"POST": s.postReset},
	}
}

// healthPath is there whatever becomes of the rest.
const healthPath = "/_fake/health"

func (s *Server) routeControl(router *mux.Router, routes map[string]controlRoute) {
	for path, route := range routes {
		router.MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.URL.EscapedPath() == path }).
			Handler(handle(s.control(route)))
	}
}

// nothingHere answers a path that the control plane does not have.
func (x *exchange) nothingHere(routes map[string]controlRoute) {
	paths := slices.Sorted(maps.Keys(routes))
	x.refuse(http.StatusNotFound, fmt.Sprintf("The path is %s. Here there is %s.", shorten(x.request.URL.EscapedPath()), strings.Join(paths, ", ")))
}

// control answers a request to a path of the control plane.
func (s *Server) control(handlers controlRoute) func(*exchange) {
	var methods []string
	for method := range handlers {
		methods = append(methods, method)
	}
	if handlers["GET"] != nil {
		methods = append(methods, "HEAD")
	}
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	return func(x *exchange) {
		if why := foreign(x.request); why != "" {
			x.refuse(http.StatusForbidden, why)
			return
		}
		method := x.request.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		handler := handlers[method]
		if handler == nil {
			x.Header().Set("Allow", allow)
			x.refuse(http.StatusMethodNotAllowed, fmt.Sprintf("%s is not allowed here. Send one of %s.", shorten(x.request.Method), allow))
			return
		}
		handler(x)
	}
}

// foreign says why a request to the control plane is refused: it comes from a
// page of another origin, or by a name that another's name server may have made
// up for this machine. It returns "" if neither is the case.
func foreign(r *http.Request) string {
	const others = "The control plane answers no pages of other origins. Send it from a page of the server itself, or from a program that is no browser."
	browser := false
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		browser = true
		if site != "same-origin" && site != "none" {
			return others
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		browser = true
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.User != nil || !strings.EqualFold(u.Host, r.Host) {
			return others
		}
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	address, err := netip.ParseAddr(host)
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	switch {
	case host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback():
		return ""
	case ok && local.IP.IsLoopback():
		return fmt.Sprintf("The host %q is none of this machine's. Send the request to localhost or 127.0.0.1.", shorten(r.Host))
	case browser && err != nil && strings.Contains(host, ".") && ok:
		// As on the networks of containers, where nobody knows the server's names
		// but those without a domain.
		return fmt.Sprintf("The host %q may be made up. Open the page by an address, or by a name without dots.", shorten(r.Host))
	}
	return ""
}

// refuse answers with a problem document.
func (x *exchange) refuse(status int, detail string) {
	refusal := newAnswer(Response{Status: status}, "application/problem+json")
	x.Header().Set("Cache-Control", "no-store")
	x.Header().Set("X-Content-Type-Options", "nosniff")
	refusal.send(x, detail)
}

// A controlMistake is a fixtures.Mistake in a body.
type controlMistake struct {
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"`
	Problem string `json:"problem"`
	Instead string `json:"instead,omitempty"`
}

// refuseBody answers a body that cannot be used, with every mistake in it.
func (x *exchange) refuseBody(err error) {
	document := newProblem(http.StatusBadRequest, err.Error())
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		document.Detail = sentence(counted(len(mistakes.List)+mistakes.More, "mistake")) + " The first: " + mistakes.List[0].String()
		for _, m := range mistakes.List {
			document.Mistakes = append(document.Mistakes, controlMistake{m.Line, m.Column, m.Path, m.Problem, m.Instead})
		}
	}
	x.Header().Set("Content-Type", "application/problem+json")
	x.json(http.StatusBadRequest, document)
}

// json answers with a value.
func (x *exchange) json(status int, value any) {
	header := x.Header()
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json")
	}
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	encoder := json.NewEncoder(x)
	encoder.SetEscapeHTML(false)
	x.WriteHeader(status)
	if x.request.Method != http.MethodHead {
		encoder.Encode(value)
	}
}

// parameters reads the query, in which nothing but the named parameters may
// stand, each once.
func (x *exchange) parameters(names ...string) (map[string]string, bool) {
	query, err := url.ParseQuery(x.request.URL.RawQuery)
	if err != nil {
		x.refuse(http.StatusBadRequest, "The query cannot be read: "+err.Error()+".")
		return nil, false
	}
	values := make(map[string]string)
	send := strings.Join(names, ", ")
	if send == "" {
		send = "none"
	}
	for name, given := range query {
		if !slices.Contains(names, name) {
			x.refuse(http.StatusBadRequest, fmt.Sprintf("There is no parameter %q here; send %s.", shorten(name), send))
			return nil, false
		}
		if len(given) > 1 {
			x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is there %d times; send it once.", name, len(given)))
			return nil, false
		}
		values[name] = given[0]
	}
	return values, true
}

// token reads the one parameter token, which has to be there.
func (x *exchange) tokenParameter() (string, bool) {
	values, ok := x.parameters("token")
	if !ok {
		return "", false
	}
	token, given := values["token"]
	if !given {
		x.refuse(http.StatusBadRequest, "The parameter token is missing; send ?token=, with the token percent-encoded.")
		return "", false
	}
	return token, true
}

// readBody reads the body of a request, which has to be there.
func (x *exchange) readBody() ([]byte, bool) {
	// A body that never ends ends all the same, and at once when the server stops.
	controller := http.NewResponseController(x.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(controlPatience))
	stop := context.AfterFunc(x.server.stopping, func() { controller.SetReadDeadline(time.Now()) })
	body, err := io.ReadAll(http.MaxBytesReader(x, x.request.Body, controlBytes))
	if stop() {
		controller.SetReadDeadline(time.Time{})
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		x.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %d MiB.", controlBytes>>20))
	case err != nil:
		x.refuse(http.StatusBadRequest, "The body cannot be read: "+err.Error()+".")
	default:
		return body, true
	}
	return nil, false
}

// A listedUser is a user as the control plane shows it.
type listedUser struct {
	Token       string `json:"token"`
	Description string `json:"description,omitempty"`
	Requests    int    `json:"requests"` // that carried the token
	Waiting     int    `json:"waiting"`  // replies that were enqueued

	User *User `json:"user,omitempty"` // of one user alone
}

func (n *account) listed() listedUser {
	return listedUser{Token: n.token, Description: n.user.given.Description, Requests: n.count, Waiting: len(n.script.queue)}
}

func (s *Server) getUsers(x *exchange) {
	values, ok := x.parameters("token")
	if !ok {
		return
	}
	token, one := values["token"]
	if !one {
		users := []listedUser{}
		s.mu.Lock()
		for _, n := range s.accounts.byToken {
			if n.known {
				users = append(users, n.listed())
			}
		}
		s.mu.Unlock()
		slices.SortFunc(users, func(a, b listedUser) int { return strings.Compare(a.Token, b.Token) })
		x.json(http.StatusOK, map[string]any{"users": users})
		return
	}
	s.mu.Lock()
	n := s.accounts.known(token)
	var user listedUser
	if n != nil {
		user = n.listed()
		user.User = &n.user.given
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.json(http.StatusOK, user)
}

func (x *exchange) noSuchUser(token string) {
	x.refuse(http.StatusNotFound, fmt.Sprintf("No user has the token %q. GET /_fake/users lists the users.", shorten(token)))
}

func (s *Server) putUser(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	body, ok := x.readBody()
	if !ok {
		return
	}
	s.parsing.Lock() // since one body at a time takes memory enough
	user, err := s.service.ReadUser("body", token, body)
	s.parsing.Unlock()
	if err != nil {
		x.refuseBody(err)
		return
	}
	created, room := s.roomFor(token)
	if !room {
		x.crowded()
		return
	}
	if err := s.setUser(token, user, false); err != nil {
		x.refuseBody(err)
		return
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	put := listedUser{Token: token, Description: user.Description}
	s.mu.Lock()
	if n := s.accounts.known(token); n != nil {
		put = n.listed()
	}
	s.mu.Unlock()
	put.User = &user
	x.json(status, put)
}

// roomFor reports whether a token has no user yet, and whether it can have one.
func (s *Server) roomFor(token string) (unknown, room bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unknown = s.accounts.known(token) == nil
	return unknown, !unknown || len(s.accounts.byToken)-s.accounts.unknown.Len() < controlUsers
}

func (x *exchange) crowded() {
	x.refuse(http.StatusInsufficientStorage, fmt.Sprintf("There are %d users, and no room for more. Remove some, or reset the server.", controlUsers))
}

func (s *Server) deleteUser(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	if !s.removeUser(token) {
		x.noSuchUser(token)
		return
	}
	x.WriteHeader(http.StatusNoContent)
}

// A waitingReply is a reply that waits to be played.
type waitingReply struct {
	Reply  Reply `json:"reply"`
	Played int   `json:"played"` // how often it has been, of its times
}

func (s *Server) getReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	s.mu.Lock()
	n := s.accounts.known(token)
	waiting := []waitingReply{}
	if n != nil {
		for r, played := range remaining(n.script.queue, n.script.queued) {
			waiting = append(waiting, waitingReply{r.given, played})
		}
		for r, played := range remaining(n.user.replies[n.script.next:], n.script.played) {
			waiting = append(waiting, waitingReply{r.given, played})
		}
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.json(http.StatusOK, map[string]any{"replies": waiting})
}

func (s *Server) postReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	body, ok := x.readBody()
	if !ok {
		return
	}
	s.parsing.Lock()
	replies, err := s.service.ReadReplies("body", body)
	s.parsing.Unlock()
	if err != nil {
		x.refuseBody(err)
		return
	}
	if _, room := s.roomFor(token); !room {
		x.crowded()
		return
	}
	prepared, err := newReplies(&s.service, &s.answers, "enqueued reply", replies)
	if err != nil {
		x.refuseBody(err)
		return
	}
	switch err := s.enqueueReplies(token, prepared, false); {
	case errors.Is(err, errNoUser):
		x.noSuchUser(token)
	case err != nil:
		x.refuse(http.StatusInsufficientStorage, sentence(err.Error()))
	default:
		s.getReplies(x)
	}
}

func (s *Server) deleteReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	s.mu.Lock()
	n := s.accounts.known(token)
	if n != nil {
		n.script.queue, n.script.queued = nil, 0
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.WriteHeader(http.StatusNoContent)
}

// getRequests lists the journal, the latest first.
func (s *Server) getRequests(x *exchange) {
	values, ok := x.parameters("token", "status", "path", "since", "before", "limit", "await")
	if !ok {
		return
	}
	number := func(name string, least, most, otherwise int) int {
		text, given := values[name]
		if !given || !ok {
			return otherwise
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < least || value > most {
			ok = false
			x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is %q; send a whole number from %d to %d.", name, shorten(text), least, most))
		}
		return value
	}
	const largest = 1 << 53 // that every reader of JSON has
	status := number("status", 0, 599, -1)
	since := number("since", 0, largest, 0)
	before := number("before", 1, largest, largest)
	limit := number("limit", 1, listedMost, listedRequests)
	await := number("await", 1, largest, 0)
	if !ok {
		return
	}
	list := requestList{Requests: []Request{}}
	var tokens []string
	if token, given := values["token"]; given {
		tokens = []string{token}
		if await > 0 && s.AwaitRequests(s.attended(x), token, await) != nil {
			s.mu.Lock()
			_, certain := s.accounts.count(token)
			s.mu.Unlock()
			if certain { // the client has gone away, or the server is being closed
				panic(http.ErrAbortHandler)
			}
		}
		s.mu.Lock()
		if count, certain := s.accounts.count(token); certain {
			list.Count = &count
		}
		s.mu.Unlock()
	} else if await > 0 {
		x.refuse(http.StatusBadRequest, "The parameter await needs the parameter token, whose requests it counts.")
		return
	}
	path, byPath := values["path"]
	all := s.Requests(tokens...)
	for _, r := range slices.Backward(all) {
		asked, _, _ := strings.Cut(r.URL, "?")
		if r.Number >= before || r.Number <= since || status >= 0 && r.Status != status || byPath && asked != path {
			continue
		}
		if list.More = len(list.Requests) == limit; list.More {
			break
		}
		list.Requests = append(list.Requests, r)
	}
	x.json(http.StatusOK, list)
}

// A requestList is what the control plane lists of the journal.
type requestList struct {
	Requests []Request `json:"requests"` // the latest first
	More     bool      `json:"more"`     // there are earlier ones

	// Count is how many requests carried the token that was asked for, since the
	// start or the last time they were cleared, whether or not they are still in
	// the journal; nil if no token was asked for, or nobody can tell.
	Count *int `json:"count,omitempty"`
}

func (s *Server) deleteRequests(x *exchange) {
	values, ok := x.parameters("token")
	if !ok {
		return
	}
	if token, given := values["token"]; given {
		s.ClearRequests(token)
	} else {
		s.ClearRequests()
	}
	x.WriteHeader(http.StatusNoContent)
}

func (s *Server) postReset(x *exchange) {
	if _, ok := x.parameters(); !ok {
		return
	}
	s.Reset()
	x.WriteHeader(http.StatusNoContent)
}

// requestJSON is a Request in JSON.
type requestJSON struct {
	Number    int         `json:"number"`
	At        time.Time   `json:"at"`
	Token     string      `json:"token"`
	Method    string      `json:"method"`
	Host      string      `json:"host"`
	URL       string      `json:"url"`
	Header    http.Header `json:"header"`
	Status    int         `json:"status"`
	Reason    string      `json:"reason"`
	Duration  float64     `json:"duration_ms"`
	Unmatched bool        `json:"unmatched"`
}

// MarshalJSON returns the request as the control plane lists it: under the names
// of its fields, in lower case, with the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(requestJSON{
		r.Number, r.At, r.Token, r.Method, r.Host, r.URL, r.Header, r.Status, r.Reason, float64(r.Duration) / float64(time.Millisecond), r.Unmatched,
	})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	var read requestJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*r = Request{
		read.Number, read.At, read.Token, read.Method, read.Host, read.URL, read.Header, read.Status, read.Reason,
		time.Duration(math.Round(read.Duration * float64(time.Millisecond))), read.Unmatched,
	}
	return nil
}
