package fake

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// TLS makes a server use HTTPS, and HTTP/2 if the client supports it. It has the given
// certificates, or a self-signed one for localhost, 127.0.0.1, ::1 and the host of a
// server in memory. The Client of a test server trusts them. TLS applies to
// NewTestServer, Serve and ServeControl, but not to other servers that use the
// handler.
//
// Connections cannot be hijacked under HTTP/2: the package comment says how faults
// then differ.
func TLS(certificates ...tls.Certificate) Option {
	return func(c *config) {
		if len(certificates) == 0 && c.certificates == nil {
			own, err := SelfSigned("localhost", "127.0.0.1", "::1", wire.MemoryHost)
			c.failed(err)
			c.certificates = []tls.Certificate{own}
			return
		}
		for i, certificate := range certificates {
			if len(certificate.Certificate) == 0 || certificate.PrivateKey == nil {
				c.wrong = append(c.wrong, fmt.Errorf("certificate %d of TLS is empty; make one with tls.LoadX509KeyPair or fake.SelfSigned", i+1))
			}
			c.certificates = append(c.certificates, certificate)
		}
	}
}

// TLSFrom makes a server use HTTPS as TLS does, with the certificate that a function
// returns. The function is called by New and by every Reload, which return its error:
// then the last good certificate stays, and the last good fixtures do as well. The
// Client of a test server trusts the first one alone.
func TLSFrom(load func() (tls.Certificate, error)) Option {
	return func(c *config) {
		if certificate, err := load(); !c.failed(err) {
			TLS(certificate)(c)
			c.reread = true
		}
	}
}

// selfSignedFor is how long a self-signed certificate is valid. All kinds of clients
// accept this duration.
const selfSignedFor = 2 * 365 * 24 * time.Hour

// SelfSigned makes a certificate for at least one host name or address, and a new
// certificate authority that signs it. The authority is the last certificate in the
// chain of the result: clients that are given it trust the server. Both are valid for
// two years, from yesterday on. A test needs it only for other names than those of TLS.
func SelfSigned(names ...string) (tls.Certificate, error) {
	if len(names) == 0 {
		return tls.Certificate{}, errors.New("a certificate has to name a host; give SelfSigned names, as localhost")
	}
	authority, authorityKey, err := issue(func(c *x509.Certificate) {
		c.Subject.CommonName = "campaignfake"
		c.IsCA = true
		c.KeyUsage = x509.KeyUsageCertSign
	}, nil, nil)
	if err != nil {
		return tls.Certificate{}, err
	}
	// Some clients refuse a server whose certificate is an authority.
	leaf, key, err := issue(func(c *x509.Certificate) {
		c.Subject.CommonName = names[0]
		c.KeyUsage = x509.KeyUsageDigitalSignature
		c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		for _, name := range names {
			if ip := net.ParseIP(name); ip != nil {
				c.IPAddresses = append(c.IPAddresses, ip)
			} else {
				c.DNSNames = append(c.DNSNames, name)
			}
		}
	}, authority, authorityKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, authority.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

// issue makes a certificate with a new key, signed by the issuer or, if that is nil,
// by itself.
func issue(describe func(*x509.Certificate), issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	begin := time.Now().Add(-24 * time.Hour)
	template := &x509.Certificate{SerialNumber: serial, NotBefore: begin, NotAfter: begin.Add(selfSignedFor), BasicConstraintsValid: true}
	describe(template)
	if issuer == nil {
		issuer, issuerKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, &key.PublicKey, issuerKey)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return certificate, key, err
}

// serverTLS returns the configuration for a server, nil without TLS.
func (s *Server) serverTLS() *tls.Config {
	if !s.config.secured() {
		return nil
	}
	return &tls.Config{GetCertificate: s.certificateFor, MinVersion: tls.VersionTLS12}
}

// certificateFor returns the certificate in force that suits a client, or the first one.
func (s *Server) certificateFor(client *tls.ClientHelloInfo) (*tls.Certificate, error) {
	list := *s.certificates.Load()
	i := slices.IndexFunc(list, func(c tls.Certificate) bool { return client.SupportsCertificate(&c) == nil })
	return &list[max(i, 0)], nil
}

// Certificate returns the certificate that the server presents to clients that ask for
// no other, nil without TLS.
func (s *Server) Certificate() *x509.Certificate { return firstLeaf(*s.certificates.Load()) }

// RootCAs returns the certificates that a client has to trust to reach the server, for
// the TLSClientConfig of a Transport of your own. It is nil without TLS. Each call
// returns a new pool.
func (s *Server) RootCAs() *x509.CertPool {
	if config := s.clientTLS(); config != nil {
		return config.RootCAs
	}
	return nil
}

// firstLeaf returns the first of some certificates, nil if there is none or if it cannot
// be read.
func firstLeaf(certificates []tls.Certificate) *x509.Certificate {
	if len(certificates) == 0 || len(certificates[0].Certificate) == 0 {
		return nil
	}
	leaf, err := x509.ParseCertificate(certificates[0].Certificate[0])
	if err != nil {
		return nil
	}
	return leaf
}

// clientTLS returns the configuration for a client that trusts the server, nil without
// TLS.
func (s *Server) clientTLS() *tls.Config {
	certificates := *s.certificates.Load()
	if certificates == nil {
		return nil
	}
	roots := x509.NewCertPool()
	for _, certificate := range certificates {
		for _, der := range certificate.Certificate {
			if trusted, err := x509.ParseCertificate(der); err == nil {
				roots.AddCert(trusted)
			}
		}
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	// Clients connect to an address, which the certificate may not name.
	leaf := firstLeaf(certificates)
	if leaf != nil && len(leaf.DNSNames) > 0 && leaf.VerifyHostname("127.0.0.1") != nil {
		config.ServerName = leaf.DNSNames[0]
	}
	return config
}
