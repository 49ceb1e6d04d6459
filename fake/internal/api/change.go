package api

// A Change is an update of something that is not a request.
type Change struct {
	What  string  `json:"what"`            // user, replies, requests, reset or reload
	Token *string `json:"token,omitempty"` // nil for all tokens
}
