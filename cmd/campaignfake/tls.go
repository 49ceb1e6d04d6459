package main

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"

	"example.com/campaignfake/fake"
)

// tlsFlags are the flags for HTTPS. Clients have the same ones, so that they find the
// server with the same variables.
type tlsFlags struct {
	TLSSelfSigned []string `type:"host" name:"tls-self-signed" xor:"tls" placeholder:"NAME,..." help:"Make a certificate for these hosts."`
	TLSCert       string   `name:"tls-cert" placeholder:"FILE" help:"The certificate: read with --tls-key, or written with --tls-self-signed."`
	TLSKey        string   `name:"tls-key" xor:"tls" placeholder:"FILE" help:"The key of --tls-cert, in PEM."`
}

// scheme returns the scheme of the server's URLs.
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" || f.TLSKey != "" || f.TLSSelfSigned != nil {
		return "https"
	}
	return "http"
}

// certificate returns the certificate of a server. The authority of one that is made is
// written to --tls-cert, for clients to trust.
func (f *tlsFlags) certificate() (tls.Certificate, error) {
	if f.TLSSelfSigned == nil {
		pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
		if err != nil { // perhaps as one of the two is not given
			err = usageError{fmt.Errorf("--tls-cert %q and --tls-key %q cannot be used: %w; give a certificate and its key, both in PEM",
				f.TLSCert, f.TLSKey, err)}
		}
		return pair, err
	}

	// Clients on this machine, and the banner, use the names that are added.
	own, err := fake.SelfSigned(append(f.TLSSelfSigned, "localhost", "127.0.0.1", "::1")...)
	if err != nil || f.TLSCert == "" {
		return own, err
	}
	authority := &pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[len(own.Certificate)-1]}
	return own, writeWhole(f.TLSCert, "-----BEGIN CERTIFICATE", pem.EncodeToMemory(authority))
}
