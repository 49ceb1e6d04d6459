package fake

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"example.com/campaignfake/fixtures"
)

// An Option configures a server that New or NewTestServer makes. Options apply
// in their order: if two give the same token or setting, the later one applies.
type Option func(*config)

// config is the result of the options. It never changes once a server has it.
type config struct {
	options      []Option // applied again by a reload
	users        map[string]User
	order        []string        // of the tokens
	required     map[string]bool // tokens whose replies a strict test has to play
	layers       [3]*layer       // nil where there are no settings
	service      Service         // the sum of the layers
	places       map[string]fixtures.Place
	sets         []*Set // from files, whose dates are written in the format of the service
	journal      int
	limits       Limits
	certificates []tls.Certificate // nil without TLS
	reread       bool              // a reload reads the certificates again: they are of TLSFrom
	inMemory     bool
	lenient      bool
	keepAlive    bool
	test         *test // nil unless the server reports to a test
	control      bool
	hosts        []string     // of the control plane, as canonicalHost returns them
	origins      []string     // whose pages may use the control plane
	logger       *slog.Logger // nil if the server is silent

	mistakes fixtures.Mistakes // in files
	wrong    []error           // options that cannot be used
}

// configure applies the options.
func configure(options []Option) *config {
	c := &config{
		options:  slices.Clone(options),
		users:    make(map[string]User),
		required: make(map[string]bool),
		journal:  journalRequests,
		limits:   LimitsOf(0),
		control:  true,
	}
	for i, option := range options {
		if option == nil {
			c.wrong = append(c.wrong, fmt.Errorf("option %d is nil; leave it out", i+1))
			continue
		}
		option(c)
	}
	if c.test != nil {
		c.test.strict = !c.lenient
	}
	if c.secured() && c.limits.Memory > 0 { // each takes more
		c.limits.Connections = max(c.limits.Connections/4, 1)
	}
	c.settle()
	return c
}

// The layers of settings, each over the one before it.
const (
	observed = iota
	profile
	configured
)

// A layer is settings that have the same basis.
type layer struct {
	service    Service
	places     map[string]string // of its settings
	observedAt time.Time
}

// set lays settings over those of a layer.
func (c *config) set(into int, service Service, places map[string]string) {
	if c.layers[into] == nil {
		c.layers[into] = &layer{places: make(map[string]string)}
	}
	l := c.layers[into]
	l.service = l.service.Overlay(service)
	if places["seed"] != "" { // even if it is 0
		l.service.Seed = service.Seed
	}
	maps.Copy(l.places, places)
}

// settle sums the layers up, and finishes what depends on all of them.
func (c *config) settle() {
	c.service = fixtures.DefaultService()
	c.service.UnknownTokens = "reject"
	c.places = make(map[string]fixtures.Place)
	for i, basis := range [...]string{observed: "observed", profile: "profile", configured: "configured"} {
		if l := c.layers[i]; l != nil {
			c.lay(l, basis)
		}
	}
	for _, set := range c.sets {
		set.WriteDates(c.service)
	}
}

// lay lays a layer over the settings.
func (c *config) lay(l *layer, basis string) {
	before := c.service.Envelope
	c.service = c.service.Overlay(l.service)
	if l.places["seed"] != "" { // even if it is 0
		c.service.Seed = l.service.Seed
	}
	for name, where := range l.places {
		c.places[name] = fixtures.Place{Basis: basis, Where: where, ObservedAt: l.observedAt}
	}
	switch _, given := l.places["envelope"]; { // as Overlay has one give way to the other
	case l.service.Beside != nil && !given && before == "none":
		c.places["envelope"] = c.places["beside"]
	case l.service.Envelope == "none" && l.service.Beside == nil:
		delete(c.places, "beside")
	}
}

// setUser adds a user, or replaces the one that has the token.
func (c *config) setUser(token string, u User, required bool) {
	if _, known := c.users[token]; !known {
		c.order = append(c.order, token)
	}
	c.users[token], c.required[token] = u, required
}

// expect adds the error in a value of an option, if there is one.
func (c *config) expect(option string, err error) {
	if err != nil {
		c.wrong = append(c.wrong, fmt.Errorf("%s: %w", option, err))
	}
}

// failed adds an error, or the mistakes that it has, and reports whether there is one.
func (c *config) failed(err error) bool {
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		c.mistakes.List = append(c.mistakes.List, mistakes.List...)
		c.mistakes.More += mistakes.More
	} else if err != nil {
		c.wrong = append(c.wrong, err)
	}
	return err != nil
}

// check returns all that is wrong with the options.
func (c *config) check() error {
	set := fixtures.Set{Users: c.users}
	if c.layers != [3]*layer{} { // the defaults need no check
		set.Service = c.service
	}
	c.failed(set.Check())
	wrong := c.wrong
	if len(c.mistakes.List) > 0 {
		wrong = append(slices.Clone(wrong), &c.mistakes)
	}
	return errors.Join(wrong...)
}

// withoutUsers returns a copy without users and settings, which the snapshot of the
// server has. A reload reads them again.
func (c *config) withoutUsers() *config {
	own := *c
	own.users, own.order, own.required, own.places, own.sets = nil, nil, nil, nil, nil
	own.service, own.layers = Service{}, [3]*layer{}
	return &own
}

// secured reports whether the server uses TLS.
func (c *config) secured() bool { return c.certificates != nil }
