package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/state"
	"example.com/campaignfake/fixtures"
)

// SetService replaces the settings of the last call. Empty ones restore the settings that
// the server was made with.
func (e *Engine) SetService(service fixtures.Service) error {
	e.Reading.Lock()
	defer e.Reading.Unlock()
	return e.PutService(fixtures.Service{}.Overlay(service), plan.PlacesOf(service, "SetService"))
}

// PutService puts settings in force over those that the server has without them.
// places has where each is from. e.Reading must be held.
func (e *Engine) PutService(service fixtures.Service, places map[string]string) error {
	if e.State.Closed() {
		return state.ErrClosed
	}
	if err := service.Check(); err != nil {
		return err
	}
	base := e.State.InForce().WithoutSet()
	next := base
	if len(places) > 0 {
		var err error
		if next, err = base.With(&plan.Layer{Service: service, Places: places}); err != nil {
			return err
		}
	}
	if err := e.State.SetService(next); err != nil {
		return err
	}
	e.KeepAlives()
	return nil
}
