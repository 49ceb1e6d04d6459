package fake

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
)

// WithTLS makes a server use HTTPS. It has the given
// certificates, or a self-signed one for localhost, 127.0.0.1, ::1 and the host of a
// server in memory. The Client of a test server trusts them. WithTLS applies to
// NewTestServer, Serve and ServeControl, but not to other servers that use the
// handler.
func WithTLS(certificates ...tls.Certificate) Option {
	return func(c *plan.Config) {
		if len(certificates) == 0 && c.Certificates == nil {
			own, err := SelfSigned("localhost", "127.0.0.1", "::1", wire.MemoryHost)
			c.Failed(err)
			c.Certificates = []tls.Certificate{own}
			return
		}
		for i, certificate := range certificates {
			if isEmpty(certificate) {
				c.Wrong = append(c.Wrong, fmt.Errorf("certificate %d of WithTLS is empty; %s", i+1, makeOne))
			} else if certificate.Leaf == nil {
				certificate.Leaf, _ = x509.ParseCertificate(certificate.Certificate[0]) // clients refuse one that cannot be read
			}
			c.Certificates = append(c.Certificates, certificate)
		}
	}
}

func isEmpty(c tls.Certificate) bool { return len(c.Certificate) == 0 || c.PrivateKey == nil }

const makeOne = "make one with tls.LoadX509KeyPair or fake.SelfSigned"

// WithTLSFrom makes a server use HTTPS as WithTLS does, with the certificate that a function
// returns. The function is called by New and by every Reload, which return its error. After
// an error in a Reload the last good certificate stays, and the fixtures are reloaded all
// the same, as is a good certificate if there is a mistake in the fixtures. The Client of a
// test server trusts the first one alone.
func WithTLSFrom(load func() (tls.Certificate, error)) Option {
	return func(c *plan.Config) {
		certificate, err := tls.Certificate{}, errors.New("the function of WithTLSFrom is nil; give it one that returns a certificate")
		if load != nil {
			certificate, err = load()
		}
		if err == nil && isEmpty(certificate) {
			err = errors.New("the certificate of WithTLSFrom is empty; " + makeOne)
		}
		if err != nil {
			c.CertificateErr = errors.Join(c.CertificateErr, err)
			return
		}
		WithTLS(certificate)(c)
		c.Reread = true
	}
}

// SelfSigned makes a certificate for at least one host name or address, and a new
// certificate authority that signs it. The authority is the last certificate in the
// chain of the result: clients that are given it trust the server. Both are valid for
// two years, from yesterday on. A test needs it only for other names than those of WithTLS.
func SelfSigned(names ...string) (tls.Certificate, error) {
	if len(names) == 0 {
		return tls.Certificate{}, errors.New("a certificate has to name a host; give SelfSigned names, as localhost")
	}
	return wire.SelfSigned(names)
}

// Certificate returns the certificate that the server presents to clients that ask for
// no other, nil without TLS.
func (s *Server) Certificate() *x509.Certificate {
	for _, certificate := range *s.engine.Certificates.Load() {
		return certificate.Leaf
	}
	return nil
}

// RootCAs returns the certificates that a client has to trust to reach the server, for
// the TLSClientConfig of a Transport of your own. It is nil without TLS. Each call
// returns a new pool.
func (s *Server) RootCAs() *x509.CertPool {
	if config := wire.ClientTLS(*s.engine.Certificates.Load()); config != nil {
		return config.RootCAs
	}
	return nil
}
