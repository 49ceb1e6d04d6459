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
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// TLS makes a server talk HTTPS, by HTTP/2 where the client can, with the given
// certificates, or with one of its own making for localhost, 127.0.0.1, ::1 and
// the host of a server in memory. The Client of a test server trusts it. It holds
// for Serve and NewTestServer; who serves the handler of New otherwise sees to TLS
// alone.
//
// Under HTTP/2 there is no connection to take over: see the package's comment for
// what becomes of faults.
func TLS(certificates ...tls.Certificate) Option {
	return func(c *config) {
		if len(certificates) == 0 && c.certificates == nil {
			own, err := SelfSigned("localhost", "127.0.0.1", "::1", wire.MemoryHost)
			if err != nil {
				c.wrong = append(c.wrong, err)
			}
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

// selfSignedFor is how long a certificate of ours is valid: as long as clients of
// every kind accept.
const selfSignedFor = 2 * 365 * 24 * time.Hour

// SelfSigned makes a certificate for host names and addresses, at least one, and an
// authority of its own that signs it. The latter is the last in the chain of the
// result: those trust the server who are given it. Both are valid for two years,
// from yesterday on.
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
	// Some clients refuse an authority that stands for a server by itself.
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

// issue makes a certificate with a key of its own, signed by an issuer or, if that
// is nil, by itself.
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

// serverTLS returns what a server needs to talk TLS, nil if it does not.
func (c *config) serverTLS() *tls.Config {
	if c.certificates == nil {
		return nil
	}
	return &tls.Config{Certificates: c.certificates, MinVersion: tls.VersionTLS12}
}

// clientTLS returns what a client needs to trust the server, nil if that does not
// talk TLS.
func (c *config) clientTLS() *tls.Config {
	if c.certificates == nil {
		return nil
	}
	roots := x509.NewCertPool()
	for _, certificate := range c.certificates {
		for _, der := range certificate.Certificate {
			if trusted, err := x509.ParseCertificate(der); err == nil {
				roots.AddCert(trusted)
			}
		}
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	// The server is reached by an address, which its certificate may not have.
	leaf, err := x509.ParseCertificate(c.certificates[0].Certificate[0])
	if err == nil && len(leaf.DNSNames) > 0 && leaf.VerifyHostname("127.0.0.1") != nil {
		config.ServerName = leaf.DNSNames[0]
	}
	return config
}
