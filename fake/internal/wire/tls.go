package wire

import (
	"crypto/tls"
	"crypto/x509"
)

// ClientTLS returns the configuration of a client that trusts a server with these
// certificates, nil if there are none.
func ClientTLS(certificates []tls.Certificate) *tls.Config {
	if certificates == nil {
		return nil
	}
	roots := x509.NewCertPool()
	for _, certificate := range certificates {
		if certificate.Leaf != nil {
			roots.AddCert(certificate.Leaf) // which needs no authority then
		}
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	// Clients connect to an address, which the certificate may not name.
	if leaf := certificates[0].Leaf; leaf != nil && len(leaf.DNSNames) > 0 && leaf.VerifyHostname("127.0.0.1") != nil {
		config.ServerName = leaf.DNSNames[0]
	}
	return config
}
