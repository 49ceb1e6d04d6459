package fake

import (
	"crypto/tls"

	"example.com/campaignfake/fake/internal/plan"
)

// WithTLS makes Listen and Serve use HTTPS, with a certificate as tls.LoadX509KeyPair returns it.
// The Client of the server trusts what the system trusts: for a certificate of your own, give a
// Transport its RootCAs, and DialContext. A test needs no certificate if it gives the handler of
// New to httptest.NewTLSServer.
func WithTLS(certificate tls.Certificate) Option {
	return Option{func(c *plan.Config) {
		c.Certificates = []tls.Certificate{certificate}
	}}
}
