package wire

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"time"
)

// SelfSigned makes a certificate for host names and addresses, and a new certificate
// authority that signs it, and is the last certificate in the chain. They are valid for two years,
// which all kinds of clients accept.
func SelfSigned(names []string) (tls.Certificate, error) {
	authority, authorityKey, err := issue(x509.Certificate{
		Subject: pkix.Name{CommonName: "campaignfake"}, IsCA: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil, nil)
	if err != nil {
		return tls.Certificate{}, err
	}
	// Some clients refuse a server whose certificate is an authority.
	own := x509.Certificate{
		Subject: pkix.Name{CommonName: names[0]}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			own.IPAddresses = append(own.IPAddresses, ip)
		} else {
			own.DNSNames = append(own.DNSNames, name)
		}
	}
	leaf, key, err := issue(own, authority, authorityKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, authority.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

// issue makes a certificate with a new key and a random number, signed by the issuer or, if that is
// nil, by itself.
func issue(c x509.Certificate, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if issuer == nil {
		issuer, issuerKey = &c, key
	}
	c.NotBefore = time.Now().AddDate(0, 0, -1)
	c.NotAfter = c.NotBefore.AddDate(2, 0, 0)
	c.BasicConstraintsValid = true
	der, err := x509.CreateCertificate(rand.Reader, &c, issuer, &key.PublicKey, issuerKey)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return certificate, key, err
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
