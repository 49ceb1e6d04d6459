package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"

	"example.com/campaignfake/fixtures"
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
func (f *tlsFlags) certificate(call *call) (tls.Certificate, error) {
	placeOfCert := call.placeOf("tls-cert")
	placeOfKey := call.placeOf("tls-key")
	if f.TLSKey == "" {
		return tls.Certificate{}, missingError(placeOfCert, "tls-key")
	}
	if f.TLSCert == "" {
		return tls.Certificate{}, missingError(placeOfKey, "tls-cert")
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		err = fmt.Errorf("%s %q and %s %q cannot be used: %w; %s",
			placeOfCert, f.TLSCert, placeOfKey, f.TLSKey, err, insteadOfPair(err))
		return tls.Certificate{}, usageError{err}
	}
	return pair, nil
}

// insteadOfPair says what to do about a certificate and a key that cannot be used. Often the file
// may not be read: OpenSSL makes keys that only their owner can read, and a container runs as
// another user.
func insteadOfPair(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "allow this user to read it, as with chmod a+r"
	}
	return "give a certificate and its key, both in PEM"
}

// missingError returns an error that says which of the two flags is missing, and where the other
// flag was given. If a variable gave the other flag, the error also names the variable of the
// missing flag.
func missingError(given fixtures.Place, flag string) error {
	missing := "--" + flag
	if given.Variable != "" {
		missing = fmt.Sprintf("%s (or %s)", variableOf(flag), missing)
	}
	return usageError{fmt.Errorf("%s is given, and %s is missing; give both, in PEM",
		given, missing)}
}
