package fake

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
)

// WithTLS makes NewTestServer and Serve use HTTPS. The server has the given certificates, as
// tls.LoadX509KeyPair returns them, or a self-signed one for localhost, 127.0.0.1, ::1 and the host
// of a server in memory. Its Client trusts them.
func WithTLS(certificates ...tls.Certificate) Option {
	return option(func(c *plan.Config) {
		if len(certificates) == 0 && c.Certificates == nil {
			own, err := SelfSigned("localhost", "127.0.0.1", "::1", wire.MemoryHost)
			c.Wrong(err)
			c.Certificates = []tls.Certificate{own}
			return
		}
		c.Certificates = append(c.Certificates, certificates...)
	})
}

// SelfSigned makes a certificate for at least one host name or address, and a new
// certificate authority that signs it. The authority is the last certificate in the
// chain of the result: clients that are given it trust the server. Both are valid for
// two years, from yesterday on.
func SelfSigned(names ...string) (tls.Certificate, error) {
	if len(names) == 0 {
		return tls.Certificate{}, errors.New("a certificate has to name a host; give SelfSigned names, as localhost")
	}
	return wire.SelfSigned(names)
}

// RootCAs returns the certificates that a client has to trust to reach the server, for
// the TLSClientConfig of a Transport of your own. It is nil without TLS. Each call
// returns a new pool.
func (s *Server) RootCAs() *x509.CertPool {
	if config := wire.ClientTLS(s.engine.Config.Certificates); config != nil {
		return config.RootCAs
	}
	return nil
}
