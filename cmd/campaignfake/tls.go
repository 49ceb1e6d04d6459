package main

import (
	"crypto/tls"
	"errors"
	"fmt"
)

// tlsFlags are the flags for HTTPS.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" placeholder:"FILE" help:"The certificate of the server, in PEM."`
	TLSKey  string `name:"tls-key" placeholder:"FILE" help:"The key of --tls-cert, in PEM."`
}

// scheme returns the scheme of the server's URLs.
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" || f.TLSKey != "" {
		return "https"
	}
	return "http"
}

// certificate reads the certificate of a server and its key.
func (f *tlsFlags) certificate() (tls.Certificate, error) {
	if f.TLSKey == "" {
		err := errors.New("--tls-cert is given, and --tls-key is missing; give both, in PEM")
		return tls.Certificate{}, usageError{err}
	}
	if f.TLSCert == "" {
		err := errors.New("--tls-key is given, and --tls-cert is missing; give both, in PEM")
		return tls.Certificate{}, usageError{err}
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		err = fmt.Errorf("--tls-cert %q and --tls-key %q cannot be used: %w; "+
			"give a certificate and its key, both in PEM", f.TLSCert, f.TLSKey, err)
		return tls.Certificate{}, usageError{err}
	}
	return pair, nil
}
