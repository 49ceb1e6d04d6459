package fake

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"time"
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
			own, err := SelfSigned("localhost", "127.0.0.1", "::1", memoryHost)
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

// SelfSigned makes a certificate for host names and addresses, at least one, which
// those trust who are given it. It is valid for two years, from yesterday on.
func SelfSigned(names ...string) (tls.Certificate, error) {
	if len(names) == 0 {
		return tls.Certificate{}, errors.New("a certificate has to name a host; give SelfSigned names, as localhost")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, err
	}
	begin := time.Now().Add(-24 * time.Hour)
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "campaignfake"},
		NotBefore:             begin,
		NotAfter:              begin.Add(selfSignedFor),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true, // or some clients do not take it for an anchor
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
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
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
