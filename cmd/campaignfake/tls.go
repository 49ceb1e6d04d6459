package main

import (
	"cmp"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"slices"

	"example.com/campaignfake/fake"
)

// tlsFlags are the flags for HTTPS. Clients have the same ones, so that they find the
// server with the same variables.
type tlsFlags struct {
	TLSSelfSigned []string `type:"hosts" name:"tls-self-signed" xor:"tls" placeholder:"NAME,..." help:"Make a certificate for these hosts."`
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

// certificate returns the certificate of a server.
func (f *tlsFlags) certificate(call *call) (tls.Certificate, error) {
	if f.TLSSelfSigned != nil {
		return f.selfSigned()
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil { // perhaps as one of the two is not given
		cert, key := cmp.Or(call.places["tls_cert"], "--tls-cert"), cmp.Or(call.places["tls_key"], "--tls-key")
		err = usageError{fmt.Errorf("%s %q and %s %q cannot be used: %w; give a certificate and its key, both in PEM",
			cert, f.TLSCert, key, f.TLSKey, err)}
	}
	return pair, err
}

// selfSigned makes the server's certificate, and writes its authority to --tls-cert, for
// clients to trust.
func (f *tlsFlags) selfSigned() (tls.Certificate, error) {
	// Clients on this machine, and the banner, use the names that are added.
	own, err := fake.SelfSigned(slices.Concat(f.TLSSelfSigned, []string{"localhost", "127.0.0.1", "::1"})...)
	if err != nil || f.TLSCert == "" {
		return own, err
	}
	authority := own.Certificate[len(own.Certificate)-1]
	written := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})
	if err := writeWhole(f.TLSCert, "-----BEGIN CERTIFICATE", written); err != nil {
		return own, fmt.Errorf("the certificate cannot be written: %w; name a file in a folder that exists", err)
	}
	return own, nil
}

// curlTrust returns the option that makes curl trust the server, and a space, "" if curl
// needs none.
func (f *tlsFlags) curlTrust() string {
	switch {
	case f.scheme() == "http":
		return ""
	case f.TLSCert == "":
		return "--insecure "
	}
	return "--cacert " + shellQuote(f.TLSCert) + " "
}
