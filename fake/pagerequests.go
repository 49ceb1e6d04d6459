package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A pageRequest is a request on the page.
type pageRequest struct {
	Number        int
	Changed       string // another one whenever the row is another
	Trouble       string // "" if there is none
	Link          template.URL
	Class, Result string
	Method, URL   string
	Token         string
	At, Time      string
	Took, Reason  string
	Detail        *pageDetail
}

// A pageDetail is what is shown of one request that is opened.
type pageDetail struct {
	Fix            *fix
	Why, Token     string
	Curl           string
	Line           string
	Header, Answer []pageHeader
	Timing         string
	Body, Bytes    string
}

type pageHeader struct{ Name, Value string }

// A fix says what is wrong with how a request was sent, and what to do.
type fix struct {
	Title string
	Lines []string
	Code  string
}

// followed is how long the request that a preflight asks for may take to come,
// and so how long a preflight is looked at again.
const followed = 10 * time.Second

// showRequests puts the requests on the page: one that is opened, and those that
// have changed since a version, or the latest if it is negative.
func (s *Server) showRequests(p *page, setup *setup, values map[string]string, opened, since int) {
	s.mu.Lock()
	var records []record
	for _, e := range s.journal.entries() {
		records = append(records, e.record())
	}
	s.mu.Unlock()
	rows := pageRows
	if values["rows"] != "" {
		rows = pageMostRows
	}
	link := func(change map[string]string) string {
		query := make(url.Values)
		for _, name := range []string{"token", "show", "rows"} {
			if value, given := change[name]; given && value != "" {
				query.Set(name, value)
			} else if !given && values[name] != "" {
				query.Set(name, values[name])
			}
		}
		if request := change["request"]; request != "" {
			query.Set("request", request)
		}
		return "?" + query.Encode()
	}
	p.All, p.Troubled = link(map[string]string{"show": ""}), link(map[string]string{"show": "trouble"})
	p.Own = link(map[string]string{"show": "token"})
	p.Nothing = len(records) == 0

	asked := make(map[string]bool) // origin, method and URL of requests that came after
	shown := 0
	p.Missing = shorten(values["request"])
	for _, rec := range slices.Backward(records) {
		r := rec.request()
		origin := r.Header.Get("Origin")
		f := s.fixOf(p, setup, &r, asked)
		if r.Method != http.MethodOptions {
			asked[origin+" "+r.Method+" "+r.URL] = true
		}
		if f != nil {
			p.Trouble++
		}
		open := r.Number == opened
		switch {
		case open:
		case p.Show == "trouble" && f == nil, p.Show == "token" && r.Token != p.Token:
			continue
		case since >= 0 && rec.version <= since && (r.Method != http.MethodOptions || time.Since(r.At) > followed):
			continue
		case shown >= rows:
			p.Earlier = link(map[string]string{"rows": "all"})
			continue
		}
		shown++
		row := rowOf(&rec, &r)
		row.Link = template.URL(link(map[string]string{"request": strconv.Itoa(r.Number)}))
		if f != nil {
			row.Trouble, row.Reason = f.Title, afterTitle(row.Reason)
			row.Changed += "!"
		}
		if open {
			p.Missing = ""
			row.Detail = s.detailOf(p, &rec, &r, f)
		}
		p.Requests = append(p.Requests, row)
	}
	if rows == pageMostRows {
		p.Earlier = ""
	}
}

// rowOf returns the line of a request.
func rowOf(rec *record, r *Request) pageRequest {
	row := pageRequest{
		Number: r.Number, Changed: strconv.Itoa(rec.version), Method: shorten(r.Method), URL: shorten(r.URL), Token: r.Token,
		At: r.At.UTC().Format(time.RFC3339Nano), Time: r.At.UTC().Format("15:04:05.000"), Reason: r.Reason,
	}
	if row.Token == "" {
		row.Token = "no token"
	}
	switch {
	case !rec.done:
		row.Class, row.Result = "wait", "…"
		return row
	case r.Status == 0:
		row.Class, row.Result = "cut", "none"
	case rec.broken && r.Method != http.MethodHead:
		row.Class, row.Result = "cut", strconv.Itoa(r.Status)
	case strings.HasPrefix(r.Reason, "preflight refused"):
		row.Class, row.Result = "odd", strconv.Itoa(r.Status)
	case r.Status < 400:
		row.Class, row.Result = "ok", strconv.Itoa(r.Status)
	case r.Status < 500:
		row.Class, row.Result = "odd", strconv.Itoa(r.Status)
	default:
		row.Class, row.Result = "bad", strconv.Itoa(r.Status)
	}
	row.Took = milliseconds(r.Duration)
	return row
}

func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// detailOf returns what is shown of a request that is opened.
func (s *Server) detailOf(p *page, rec *record, r *Request, f *fix) *pageDetail {
	d := &pageDetail{
		Fix: f, Token: r.Token, Why: sentenceOf(r.Reason),
		Line:   fmt.Sprintf("%s %s", shorten(r.Method), r.URL),
		Header: headersOf(r.Header), Answer: headersOf(r.Answer.Header),
	}
	headers := []string{}
	for _, name := range []string{"Authorization", "Prefer", "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"} {
		for _, value := range r.Header[name] {
			headers = append(headers, name+": "+value)
		}
	}
	root := strings.TrimSuffix(p.BaseURL, s.setup.Load().service.BasePath)
	d.Curl = curl(root+r.URL, headers...)
	if r.Method != http.MethodGet {
		d.Curl = strings.Replace(d.Curl, "curl", "curl -X "+shellQuote(r.Method), 1)
	}
	switch {
	case !rec.done:
		d.Timing = "There is no answer yet."
		d.Why = cmp.Or(d.Why, "It is being answered.")
	case r.Status == 0:
		d.Timing = fmt.Sprintf("No answer was sent; it was over %s after the request arrived.", milliseconds(r.Duration))
	default:
		d.Timing = fmt.Sprintf("%d %s. The first byte was sent %s after the request arrived.", r.Status, title(r.Status), milliseconds(r.Duration))
	}
	d.Body = r.Answer.Body
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(d.Body), "", "  ") == nil {
		d.Body = indented.String()
	}
	if r.Answer.Bytes > len(r.Answer.Body) {
		d.Bytes = fmt.Sprintf("That is the start of %d bytes.", r.Answer.Bytes)
	}
	return d
}

// afterTitle leaves out of a reason what the title of a fix says before it.
func afterTitle(reason string) string {
	for _, said := range []string{"no route has this path: ", "preflight refused: ", "preflight: "} {
		if rest, found := strings.CutPrefix(reason, said); found {
			return rest
		}
	}
	return reason
}

func headersOf(header http.Header) (list []pageHeader) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			list = append(list, pageHeader{name, value})
		}
	}
	return list
}

// sentenceOf makes a reason a sentence, unless it is none.
func sentenceOf(reason string) string {
	if reason == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(reason)
	return strings.ToUpper(string(first)) + strings.TrimSuffix(reason[size:], ".") + "."
}
