package fake

import "net/http"

// Settings returns what is documented of the service, and every setting in force:
// whether it is assumed or was configured, and where. A test that prints them
// tells what its client relies on.
func (s *Server) Settings() []Setting {
	p := s.setup.Load()
	return p.service.Settings(p.places)
}

func (s *Server) getService(x *exchange) {
	if _, ok := x.parameters(); !ok {
		return
	}
	x.json(http.StatusOK, map[string]any{"settings": s.Settings()})
}
