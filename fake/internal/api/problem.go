package api

import (
	"fmt"
	"net/http"
	"slices"

	"example.com/campaignfake/fixtures"
)

// A ProblemDocument is a problem document by RFC 9457, extended with mistakes.
type ProblemDocument struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // in the body of the request
	More     int                `json:"more,omitempty"`     // how many more there are
}

// Error returns the detail: a problem document is an error that has its answer.
func (p ProblemDocument) Error() string { return p.Detail }

// Detail is what a problem document says of a status that was asked for.
func Detail(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "The bearer token is not valid."
	case http.StatusForbidden:
		return "The bearer token does not allow this."
	case http.StatusNotFound:
		return "There is nothing here."
	case http.StatusTooManyRequests:
		return "Too many requests were sent. Try again later."
	case http.StatusInternalServerError:
		return "The service has failed."
	case http.StatusBadGateway:
		return "A server behind the service has failed."
	case http.StatusServiceUnavailable:
		return "The service is not available at the moment."
	case http.StatusGatewayTimeout:
		return "A server behind the service has not answered in time."
	}
	return fmt.Sprintf("The service answers this request with status %d.", status)
}

// sourceLimit is how many bytes the line of a mistake may have that an answer repeats.
const sourceLimit = 1000

// Listed returns mistakes for an answer: without the lines that are long, because a body
// of one line would be repeated for each of its mistakes.
func Listed(mistakes []fixtures.Mistake) []fixtures.Mistake {
	listed := slices.Clone(mistakes)
	for i := range listed {
		if len(listed[i].Source) > sourceLimit {
			listed[i].Source = ""
		}
	}
	return listed
}
