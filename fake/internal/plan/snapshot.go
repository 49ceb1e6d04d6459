package plan

import (
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
	"github.com/rs/cors"
)

// A Snapshot is the settings of a server and the users that it starts with. It never changes: a
// reload makes a new Snapshot.
type Snapshot struct {
	Service    *fixtures.Service         // every setting, configured or default
	Configured *fixtures.Service         // the settings that somebody has set; the rest is zero
	Places     map[string]fixtures.Place // where each setting was given, by its name
	BasePath   string                    // such as "/api"; "" for the root
	Path       string                    // the path of the campaigns, with the base path
	CORS       *cors.Cors                // nil if off
	Success    PreparedAnswer            // the normal answer to a valid token
	PassesOn   bool                      // true if there is an upstream or a fallback
	Upstream   *url.URL                  // the real API; nil if there is none

	Users       []*User // in the order in which they were given
	Like        string  // demo, if the setting is "unknown_tokens: like demo"; else ""
	UnknownUser *User   // the user of unknown tokens if Like is ""; nil if they are rejected
	byToken     map[string]*User
}

// unknownCount is how many campaigns are generated for an unknown token.
const unknownCount = 10

// NewSnapshot makes a snapshot. It fails if anything in the options is wrong.
func NewSnapshot(setup *Setup) (*Snapshot, error) {
	if err := setup.check(); err != nil {
		return nil, err
	}
	given := setup.set.Service
	service := assumed().Overlay(given)
	passesOn := setup.Upstream != nil || setup.Fallback != nil
	if passesOn && given.CORS == nil {
		service.CORS = []string{fixtures.CORSLocal}
	}
	base := strings.TrimSuffix(service.BasePath, "/")
	p := &Snapshot{
		Service:    &service,
		Configured: &given,
		Places:     setup.set.Places,
		BasePath:   base,
		Path:       base + protocol.CampaignsPath,
		CORS:       NewCORS(service.CORS),
		Success: PreparedAnswer{
			Status:  service.Success.Status,
			Headers: newHeaders(headerSources{response: service.Success}),
		},
		PassesOn: passesOn,
		Upstream: setup.Upstream,
		byToken:  make(map[string]*User, len(setup.order)),
	}
	for _, token := range setup.order {
		user := p.NewUser(token, setup.set.Users[token], setup.doors[token])
		p.Users = append(p.Users, user)
		p.byToken[token] = user
	}
	p.answerUnknownTokens()
	return p, nil
}

// answerUnknownTokens prepares the user of unknown tokens.
func (p *Snapshot) answerUnknownTokens() {
	setting := p.Service.UnknownTokens
	like, isLike := strings.CutPrefix(setting, fixtures.UnknownTokensLike)
	switch {
	case isLike:
		p.Like = like
	case setting == fixtures.UnknownTokensGenerate:
		given := fixtures.User{Generate: &fixtures.Generate{Count: unknownCount}}
		p.UnknownUser = p.NewUser("", given, DoorFile)
	case setting == fixtures.UnknownTokensUpstream:
		p.UnknownUser = p.NewUser("", fixtures.User{}, DoorFile)
		p.UnknownUser.IsOfUpstream = true
		p.UnknownUser.Summary = "the answer of the upstream"
	}
}

// User returns the user that a token has when the server starts, and nil for no user.
func (p *Snapshot) User(token string) *User {
	return p.byToken[token]
}
