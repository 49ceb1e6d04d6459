package plan_test

import (
	"net/http/httptest"
	"testing"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A request is for the campaigns if its path and its method are exactly right.
func TestRoutes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		method, path  string
		isPreflight   bool // it has the headers of a preflight
		want, corsOff plan.Route
	}{
		{"GET", "/v2/user/campaigns", false, plan.Campaigns, plan.Campaigns},
		{"HEAD", "/v2/user/campaigns", false, plan.Campaigns, plan.Campaigns},
		{"POST", "/v2/user/campaigns", false, plan.NoMethod, plan.NoMethod},
		{"OPTIONS", "/v2/user/campaigns", false, plan.NoMethod, plan.NoMethod},
		{"OPTIONS", "/v2/user/campaigns", true, plan.Preflight, plan.Preflight},
		{"OPTIONS", "/v2/other", true, plan.Preflight, plan.NoPath},
		{"OPTIONS", "/v2/other", false, plan.NoPath, plan.NoPath},
		{"GET", "/v2/user/campaigns/", false, plan.NoPath, plan.NoPath},
		{"GET", "/v2/user%2Fcampaigns", false, plan.NoPath, plan.NoPath},
	} {
		r := httptest.NewRequest(tt.method, tt.path, nil)
		if tt.isPreflight {
			r.Header.Set("Access-Control-Request-Method", "GET")
		}
		for cors, want := range map[string]plan.Route{"any": tt.want, "off": tt.corsOff} {
			p := snapshot(t,
				fixtures.Service{BasePath: "/v2", CORS: []string{cors}},
				fixtures.User{},
			)
			got := p.Route(r)
			if got != want {
				t.Errorf("with CORS %s, %s %s is route %d, want %d",
					cors, tt.method, tt.path, got, want)
			}
		}
	}
}

// A service at the root has no base path.
func TestBasePaths(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{"": "/api", "/": "", "/v2/api": "/v2/api"} {
		p := snapshot(t, fixtures.Service{BasePath: setting}, fixtures.User{})
		if p.BasePath != want || p.Path != want+"/user/campaigns" {
			t.Errorf("with base path %q, they are %q and %q, want %q",
				setting, p.BasePath, p.Path, want)
		}
	}
}
