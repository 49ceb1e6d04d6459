package fake

import (
	"crypto/tls"

	"example.com/campaignfake/fake/internal/plan"
)

// WithTLS makes Listen and Serve use HTTPS, with a certificate as tls.LoadX509KeyPair returns it.
// The HTTP client of Server.Client trusts only certificates that the system trusts. For your own
// certificate, make a Transport with RootCAs and the DialContext of the server. A test needs no
// certificate if it gives the handler of New to httptest.NewTLSServer.
func WithTLS(certificate tls.Certificate) Option {
	return Option{func(s *plan.Setup) {
		s.Certificates = []tls.Certificate{certificate}
	}}
}
