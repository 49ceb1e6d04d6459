package fake

import "net/http"

func getPage(c *call) { c.refuse(http.StatusNotFound, "stub") }

func leadToPage(c *call) {
	c.Header().Set("Location", controlPath)
	c.WriteHeader(http.StatusFound)
}
