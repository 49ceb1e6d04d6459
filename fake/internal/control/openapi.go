package control

import (
	"net/http"

	"example.com/campaignfake/fixtures"
)

// An openAPI is an OpenAPI document.
type openAPI struct {
	OpenAPI    string                    `json:"openapi"`
	Info       map[string]any            `json:"info"`
	Servers    []any                     `json:"servers"`
	Security   []any                     `json:"security"`
	Tags       []any                     `json:"tags"`
	Paths      map[string]map[string]any `json:"paths"`
	Components map[string]map[string]any `json:"components"`
}

// getSchema answers with the JSON Schema of fixtures. It has no $id, so that the URL from
// which it was read is its name.
func getSchema(c *call) error {
	return c.send(http.StatusOK, "application/json", fixtures.Schema())
}
