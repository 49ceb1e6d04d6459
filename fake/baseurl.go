package fake

import "net"

// baseURL returns the base URL as the client that asks reaches it: by the host that
// it asked, and the port of the service.
func (c *call) baseURL() string {
	host := c.r.Host
	if address := c.server.address.Load(); c.own && address != nil {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if _, port, err := net.SplitHostPort(*address); err == nil {
			host = net.JoinHostPort(host, port)
		}
	}
	scheme := "http://"
	if c.server.config.secured() || c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + host + c.server.state.inForce().service.BasePath
}
