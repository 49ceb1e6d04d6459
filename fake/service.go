package fake

import (
	"maps"

	"example.com/campaignfake/fixtures"
)

// SetService lays settings over those of the server, for all users, until Reset or the
// next SetService: those that are not zero in the given ones. SetService(Service{})
// takes them away again. Requests that have already arrived are answered by the previous
// settings. Users keep their places in their replies. A Reload does not change them.
//
// Settings that are not valid, or do not fit the users, are refused, and nothing
// changes. The error holds every mistake, as *fixtures.Mistakes. A test server also
// fails its test.
func (s *Server) SetService(service Service) error {
	s.test.Helper()
	s.reading.Lock()
	defer s.reading.Unlock()
	return s.test.refuse("SetService", s.setService(Service{}.Overlay(service), placesOf(service, "SetService")))
}

// setService puts settings in force over those that the server has without them.
// places has where each is from. s.reading must be held.
func (s *Server) setService(service Service, places map[string]string) error {
	if s.stopping.Err() != nil {
		return errClosed
	}
	if err := service.Check(); err != nil {
		return err
	}
	base := s.state.inForce().withoutSet()
	next := base
	if len(places) > 0 {
		var err error
		if next, err = base.with(&layer{service: service, places: places}); err != nil {
			return err
		}
	}
	prepared := make(map[*user]*user)
	for missing := s.state.setService(next, prepared); missing != nil; missing = s.state.setService(next, prepared) {
		for _, u := range missing {
			own, err := next.again(u)
			if err != nil {
				return err
			}
			prepared[u] = own
		}
	}
	s.setKeepAlives()
	return nil
}

// placesOf returns a place for each setting that is given.
func placesOf(service Service, where string) map[string]string {
	places := make(map[string]string)
	for _, setting := range service.Settings(nil) {
		if setting.Basis == "assumed" && setting.Value != nil && (setting.Name != "seed" || service.Seed != 0) {
			places[setting.Name] = where
		}
	}
	return places
}

// with returns a snapshot with settings laid over those of p, and the same users.
func (p *snapshot) with(set *layer) (*snapshot, error) {
	c := &config{users: make(map[string]User), required: make(map[string]bool), limits: p.limits}
	for _, u := range p.users {
		c.setUser(u.token, u.given, u.required)
	}
	c.service = *p.service
	c.places = maps.Clone(p.places)
	c.layers[configured] = set
	c.lay(set, "configured")
	next, err := newSnapshot(c)
	if err != nil {
		return nil, err
	}
	next.base, next.set = p, set
	for i, u := range next.users {
		u.exhausted = p.users[i].exhausted
	}
	return next, nil
}

// withoutSet returns the snapshot without what SetService has laid over it.
func (p *snapshot) withoutSet() *snapshot {
	if p.base != nil {
		return p.base
	}
	return p
}

// again returns a user prepared for the settings of p.
func (p *snapshot) again(u *user) (*user, error) {
	if err := p.service.CheckUser(u.token, u.given); err != nil {
		return nil, err
	}
	own, err := p.newUser(u.token, u.given)
	if err == nil {
		own.reason, own.size, own.required, own.exhausted = u.reason, u.size, u.required, u.exhausted
	}
	return own, err
}

// getService lists the settings in force.
func getService(c *call) {
	if !c.parameters().refused {
		c.json(map[string]any{"settings": c.server.Settings()})
	}
}

// putService lays the settings in a body over those of the server.
func putService(c *call) {
	if c.parameters().refused {
		return
	}
	body, ok := c.readBody()
	if !ok {
		return
	}
	if err := c.server.readService(body); err != nil {
		c.refuseChange("", err)
		return
	}
	getService(c)
}

// readService lays the settings in a body over those of the server.
func (s *Server) readService(body []byte) error {
	return s.read(body, func(*snapshot, Limits) error {
		service, names, err := fixtures.ReadService("body", body)
		if err != nil {
			return err
		}
		places := make(map[string]string)
		for _, name := range names {
			places[name] = "PUT /_fake/service"
		}
		return s.setService(service, places)
	})
}
