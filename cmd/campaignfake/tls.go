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

// scheme returns "https" if the flags name a certificate or a key, and else "http".
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" || f.TLSKey != "" {
		return "https"
	}
	return "http"
}

// certificate reads the certificate and the key that the flags name.
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

// insteadOfPair returns advice for an error of tls.LoadX509KeyPair. Often the process has no
// permission to read the key. OpenSSL makes keys that only their owner can read, and a container
// runs as another user.
func insteadOfPair(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "allow this user to read it, as with chmod a+r"
	}
	return "give a certificate and its key, both in PEM"
}

// missingError returns the error for --tls-cert without --tls-key, or --tls-key without --tls-cert.
// The argument `place` says where the given flag was set, and `flag` is the name of the missing
// flag. If `place` is an environment variable, the error also names the missing variable.
func missingError(place fixtures.Place, flag string) error {
	missing := "--" + flag
	if place.Variable != "" {
		missing = fmt.Sprintf("%s (or %s)", variableOf(flag), missing)
	}
	return usageError{fmt.Errorf("%s is given, and %s is missing; give both, in PEM",
		place, missing)}
}
