package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fake"
)

// tlsFlags are the flags for HTTPS. Clients have the same ones, so that they find the
// server with the same variables.
type tlsFlags struct {
	TLSCert       fileName  `flag:"tls-cert" placeholder:"FILE" help:"The server's certificate, in PEM: read with --tls-key, or written with --tls-self-signed, for clients to trust."`
	TLSKey        fileName  `flag:"tls-key" placeholder:"FILE" help:"The key of --tls-cert, in PEM; with both, the server uses HTTPS."`
	TLSSelfSigned hostNames `flag:"tls-self-signed" placeholder:"NAME,…" help:"Use HTTPS with a certificate made at the start, for these host names and addresses."`
}

// fileName is the name of a file.
type fileName string

// hostNames are names and addresses of hosts.
type hostNames []string

func (h hostNames) check() error {
	for _, name := range h {
		if _, ok := onOff(name); ok {
			return fmt.Errorf("%q is not the name of a host; name the hosts that clients use, as localhost, or leave it out for no HTTPS", name)
		}
		if name == "" || net.ParseIP(name) == nil && strings.ContainsAny(name, " /:@") {
			return fmt.Errorf("%q is not the name of a host; write names and addresses with commas between them, as localhost,campaigns", name)
		}
	}
	return nil
}

// scheme returns the scheme of the server's URLs.
func (f *tlsFlags) scheme() string {
	if f.TLSCert != "" || f.TLSSelfSigned != nil {
		return "https"
	}
	return "http"
}

// check returns an error if the flags contradict each other.
func (f *tlsFlags) check() error {
	switch {
	case f.TLSKey != "" && f.TLSSelfSigned != nil:
		return errors.New("--tls-key and --tls-self-signed cannot be combined; leave one of them out")
	case f.TLSKey != "" && f.TLSCert == "":
		return errors.New("--tls-key needs --tls-cert; give both")
	case f.TLSCert != "" && f.TLSKey == "" && f.TLSSelfSigned == nil:
		return errors.New("--tls-cert needs --tls-key; give both, or use --tls-self-signed to write a new certificate to that file")
	}
	return nil
}

// options returns the option for HTTPS, or none without it. A certificate from a file is
// read again by each reload.
func (f *tlsFlags) options(logger *slog.Logger) ([]fake.Option, error) {
	switch {
	case f.TLSSelfSigned != nil:
		own, err := f.selfSigned()
		return []fake.Option{fake.WithTLS(own)}, err
	case f.TLSCert == "":
		return nil, nil
	}
	return []fake.Option{fake.WithTLSFrom(func() (tls.Certificate, error) { return f.read(logger) })}, nil
}

// read reads the server's certificate, and warns if it is not valid today.
func (f *tlsFlags) read(logger *slog.Logger) (tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(string(f.TLSCert), string(f.TLSKey))
	if errors.Is(err, fs.ErrPermission) {
		return pair, fmt.Errorf("this user is not allowed to read both the certificate %s and the key %s: %w; allow it, as with chmod a+r, or run as their owner", f.TLSCert, f.TLSKey, err)
	}
	if err != nil {
		return pair, fmt.Errorf("the certificate %s and the key %s cannot be used: %w; give a certificate and its key, both in PEM", f.TLSCert, f.TLSKey, err)
	}
	switch now := time.Now(); {
	case now.After(pair.Leaf.NotAfter):
		logger.Warn("the certificate has expired, and clients refuse it; put a new one there, and reload the server",
			slog.String("file", string(f.TLSCert)), slog.Time("until", pair.Leaf.NotAfter))
	case now.Before(pair.Leaf.NotBefore):
		logger.Warn("the certificate is not valid yet, and clients refuse it; put another one there, and reload the server",
			slog.String("file", string(f.TLSCert)), slog.Time("from", pair.Leaf.NotBefore))
	}
	return pair, nil
}

// selfSigned makes the server's certificate, and writes its authority to --tls-cert,
// for clients to trust.
func (f *tlsFlags) selfSigned() (tls.Certificate, error) {
	// Clients on this machine, and the banner, use the names that are added.
	names := slices.Compact(slices.Concat(f.TLSSelfSigned, []string{"localhost", "127.0.0.1", "::1"}))
	own, err := fake.SelfSigned(names...)
	if err != nil || f.TLSCert == "" {
		return own, err
	}
	if err := f.mayOverwrite(); err != nil {
		return own, err
	}
	authority := own.Certificate[len(own.Certificate)-1]
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})
	if err := writeWhole(string(f.TLSCert), text); err != nil {
		return own, fmt.Errorf("the certificate cannot be written to %s: %w; name a file in a folder that exists and can be written to", f.TLSCert, err)
	}
	return own, nil
}

// mayOverwrite returns an error if the file for the certificate holds anything but the
// certificate of an earlier server.
func (f *tlsFlags) mayOverwrite() error {
	text, err := os.ReadFile(string(f.TLSCert))
	if err != nil || len(text) == 0 {
		return nil // if the name is wrong, writing it fails
	}
	if block, _ := pem.Decode(text); block != nil {
		if old, err := x509.ParseCertificate(block.Bytes); err == nil && old.Subject.CommonName == "campaignfake" {
			return nil
		}
	}
	return fmt.Errorf("%s exists, and is not a certificate of an earlier start; name another, or remove it", f.TLSCert)
}

// trust returns how a client checks the certificate of a server. If the server is
// here, on this machine, its certificate is not checked. For other servers the
// certificate of --tls-cert is trusted, as well as those of the system.
func (f *tlsFlags) trust(here bool) (*tls.Config, error) {
	if here {
		return &tls.Config{InsecureSkipVerify: true}, nil
	}
	if f.TLSCert == "" {
		return nil, nil
	}
	text, err := os.ReadFile(string(f.TLSCert))
	if err != nil {
		return nil, fmt.Errorf("the certificate %s cannot be read: %w; name the file that the server reads or writes with --tls-cert", f.TLSCert, plainError(err))
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM; name the file that the server reads or writes with --tls-cert", f.TLSCert)
	}
	return &tls.Config{RootCAs: roots}, nil
}

// shownAddress returns the address that the banner shows for one at which others reach the
// server: with a certificate it has the first host that this names, since clients accept no
// other.
func (f *tlsFlags) shownAddress(own address, certificate *x509.Certificate) address {
	if certificate == nil {
		return own
	}
	names := slices.Concat(f.TLSSelfSigned, certificate.DNSNames)
	for _, ip := range certificate.IPAddresses {
		names = append(names, ip.String())
	}
	_, port, _ := net.SplitHostPort(string(own))
	for _, name := range names {
		if !strings.HasPrefix(name, "*") {
			return address(net.JoinHostPort(name, port))
		}
	}
	return own
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
	return "--cacert " + shellQuote(string(f.TLSCert)) + " "
}
