package wire

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
)

// ServerTLS returns the configuration of a server that presents those of its certificates in
// force that suit a client, or the first one.
func ServerTLS(inForce func() []tls.Certificate) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(client *tls.ClientHelloInfo) (*tls.Certificate, error) {
		list := inForce()
		i := slices.IndexFunc(list, func(c tls.Certificate) bool { return client.SupportsCertificate(&c) == nil })
		return &list[max(i, 0)], nil
	}}
}

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
