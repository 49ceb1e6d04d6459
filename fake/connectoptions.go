package fake

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// A ConnectOption says how Open and Connect reach a server.
type ConnectOption func(*connectOptions)

type connectOptions struct {
	control *url.URL
	client  *http.Client
	roots   *x509.CertPool
	wrong   error
}

// WithControlURL gives the URL of a control plane that has its own address (--control
// HOST:PORT), as http://campaigns:9000/_fake. By default it is that of the server.
func WithControlURL(controlURL string) ConnectOption {
	return func(o *connectOptions) {
		u, ok := webURL(controlURL)
		if !ok || u.RawQuery != "" || u.Fragment != "" {
			o.wrong = fmt.Errorf("%q is not the URL of a control plane; write one as http://127.0.0.1:9000/_fake", controlURL)
		}
		o.control = u
	}
}

// WithHTTPClient gives the client that sends all requests. Its Timeout and its
// CheckRedirect are not used for the control plane. By default, and with nil, requests use
// no proxy, and a new connection each.
func WithHTTPClient(client *http.Client) ConnectOption {
	return func(o *connectOptions) { o.client = client }
}

// WithCA makes clients trust certificates in PEM, such as the one that
// --tls-self-signed writes to --tls-cert, as well as those that the system trusts.
// It cannot be combined with WithHTTPClient, whose client has its own trust.
func WithCA(pem []byte) ConnectOption {
	return func(o *connectOptions) {
		if o.roots == nil {
			o.roots, _ = x509.SystemCertPool()
		}
		if o.roots == nil {
			o.roots = x509.NewCertPool()
		}
		if !o.roots.AppendCertsFromPEM(pem) {
			o.wrong = errors.New("WithCA was given no certificate in PEM")
		}
	}
}

// check returns the error in the options, if there is one.
func (o *connectOptions) check() error {
	if o.client != nil && o.roots != nil {
		return errors.New("WithCA and WithHTTPClient cannot be combined; make the client trust the certificates, and leave WithCA out")
	}
	return o.wrong
}

// httpClient returns the client for requests to the API.
func (o *connectOptions) httpClient() *http.Client {
	if o.client != nil {
		return o.client
	}
	transport := &http.Transport{DisableKeepAlives: true}
	if o.roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: o.roots}
	}
	return &http.Client{Transport: transport}
}

func webURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
