package fake_test

import (
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Settings returns every setting with its place: the last option that gave it. A seed of 0 counts
// as given in a file, and not in Go.
func TestSettings(t *testing.T) {
	t.Parallel()
	read := files("service: {base_path: /v1, seed: 0, delay: 250ms}")
	srv := fake.NewTestServer(t, seed(9), fake.WithFixtures(read),
		fake.WithService(fixtures.Service{
			BasePath:  "/api", // the same as the default
			Responses: fixtures.Responses{NotFound: fixtures.Response{Body: "gone\n"}},
		}))
	_, answer := steer(t, srv, "GET", "service", "")
	expect(t, answer,
		`{"name":"base_path","value":"/api","basis":"configured","where":"fake.WithService"}`,
		`{"name":"seed","value":0,"basis":"configured","where":"users.yaml:1:27"}`,
		`{"name":"delay","value":"250ms","basis":"configured","where":"users.yaml:1:36"}`,
		`{"name":"ids","value":"uuid","basis":"assumed"}`,
		`{"name":"responses.not_found.status","value":404,"basis":"assumed"}`,
		`{"name":"responses.not_found.body","value":"gone\n","basis":"configured",`+
			`"where":"fake.WithService"}`,
		`{"name":"responses.rate_limited.body","value":null,"basis":"assumed"}`)
}

// seed is the option that sets the seed.
func seed(seed uint64) fake.Option {
	return fake.WithService(fixtures.Service{Seed: seed})
}

// loading returns a function for WithLoader.
func loading(set *fixtures.Set) func() (*fixtures.Set, error) {
	return func() (*fixtures.Set, error) { return set, nil }
}
