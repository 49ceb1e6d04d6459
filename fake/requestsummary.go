package fake

import "time"

// A requestSummary is a Request without its headers, without the body of its
// answer, and with no more than the title of its advice: what fits on a line.
type requestSummary struct {
	Number    int       `json:"number"`
	At        time.Time `json:"at"`
	Token     string    `json:"token"`
	Method    string    `json:"method"`
	URL       string    `json:"url"`
	Status    int       `json:"status"`
	Reason    string    `json:"reason"`
	Duration  float64   `json:"duration_ms"`
	Unmatched bool      `json:"unmatched"`
	Complete  bool      `json:"complete"`
	Broken    bool      `json:"broken"`
	Advice    Advice    `json:"advice,omitzero"`
}

func summarize(r *Request) requestSummary {
	return requestSummary{
		Number: r.Number, At: r.At, Token: r.Token, Method: shorten(r.Method), URL: shorten(r.URL),
		Status: r.Status, Reason: r.Reason, Duration: inMilliseconds(r.Duration),
		Unmatched: r.Unmatched, Complete: r.Complete, Broken: r.Broken,
		Advice: Advice{Title: r.Advice.Title},
	}
}

// A briefList is a requestList whose requests are summaries.
type briefList struct {
	requestList
	Requests []requestSummary `json:"requests"`
}

func (l requestList) brief() briefList {
	brief := briefList{l, []requestSummary{}}
	for i := range l.Requests {
		brief.Requests = append(brief.Requests, summarize(&l.Requests[i]))
	}
	return brief
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
