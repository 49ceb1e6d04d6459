package plan

import (
	"maps"

	"example.com/campaignfake/fixtures"
)

// PlacesOf returns a place for each setting that is given.
func PlacesOf(service fixtures.Service, where string) map[string]string {
	places := make(map[string]string)
	for _, setting := range service.Settings(nil) {
		if setting.Basis == "assumed" && setting.Value != nil && (setting.Name != "seed" || service.Seed != 0) {
			places[setting.Name] = where
		}
	}
	return places
}

// With returns a snapshot with settings laid over those of p, and the same users.
func (p *Snapshot) With(set *Layer) (*Snapshot, error) {
	c := &Config{users: make(map[string]fixtures.User), required: make(map[string]bool), Limits: p.limits}
	for _, u := range p.Users {
		c.SetUser(u.Token, u.Given, u.Required)
	}
	c.service = *p.Service
	c.places = maps.Clone(p.Places)
	c.AddSettings(set.Service, set.Places)
	next, err := NewSnapshot(c)
	if err != nil {
		return nil, err
	}
	next.base, next.Laid = p, set
	for i, u := range next.Users {
		u.Exhausted = p.Users[i].Exhausted
	}
	return next, nil
}

// WithoutSet returns the snapshot without what SetService has laid over it.
func (p *Snapshot) WithoutSet() *Snapshot {
	if p.base != nil {
		return p.base
	}
	return p
}

// Again returns a user prepared for the settings of p.
func (p *Snapshot) Again(u *User) (*User, error) {
	if err := p.Service.CheckUser(u.Token, u.Given); err != nil {
		return nil, err
	}
	own, err := p.NewUser(u.Token, u.Given)
	if err == nil {
		own.Reason, own.Origin, own.Exhausted = u.Reason, u.Origin, u.Exhausted
	}
	return own, err
}
