package services

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// A move is a change of a service after it was learnt.
type move struct {
	family string
	before string // changes from the beginning, with semicolons between them
	change string
	finds  string // the end of the path that the report names
}

// data are changes that no client notices: other values of the same kinds.
var data = []move{
	{"rails", "", "data count 47", ""},
	{"rails", "", "list body.campaigns[].tags set []", ""},
	{"rails", "", "data order turned", ""},
	{"laravel", "", "data count 20", ""},
	{"laravel", "", "data nulls 2", ""},
	{"laravel", "", `list body.data[].image_url set-one ""`, ""},
	{"laravel", `list headers.X-RateLimit-Remaining set "60"`, `list headers.X-RateLimit-Remaining set "41"`, ""},
	{"django", "", "data seed 2", ""},
	{"django", "", "data whole one", ""},
	{"django", "", `list body.next set "https://kestrel.example/?page=2"`, ""},
	{"fastapi", "", "data whole one", ""},
	{"fastapi", "", "data whole all", ""},
	{"jsonapi", "", "list body.data[].attributes.labels set {}", ""},
	{"jsonapi", "", `list body.data[].attributes.title set-one ""`, ""},
	{"stripe", "", `list body.data[].metadata set {"kestrel_type":"x"}`, ""},
	{"stripe", "", `errors body.error.message set "Kestrel is closed today"`, ""},
	{"salesforce", "", "list body.records[].NumberOfLeads set 0", ""},
	{"salesforce", "", `list body.records[].Type set "Email"`, ""},
	{"hubspot", "", "data whole all", ""},
	{"hubspot", "", `list body.paging set {"next":{"after":"kestrel"}}`, ""},
	{"facebook", "", "data seed 2", ""},
	{"facebook", "", "list body.paging.cursors.after gone", ""},
	{"facebook", "", `list body.data[].daily_budget set "123456789012"`, ""},
	{"spring", "", "data statuses 2", ""},
	{"graphql", "", "data nulls 0", ""},
	{"graphql", "", "list body.data.viewer.campaigns.pageInfo.hasNextPage set true", ""},
	{"graphql", "", "list body.data.viewer.campaigns.edges[].node.clicks set 0", ""},
	{"dotnet", "", "data whole all", ""},
	{"strapi", "", "data nulls 5", ""},
	{"bare", "data cents none", "data cents one", ""},
	{"bare", "", "data cents none", ""},
	{"epoch", "", "list body.campaigns[].weight times -1", ""},
	{"mongo", "", "list body.data[].audience set []", ""},
}

// breaks are changes that break some client.
var breaks = []move{
	{"rails", "", "list body.campaigns[].tags set null", "tags"},
	{"rails", "", "list body.campaigns[].budget set-one null", "budget"},
	{"rails", "", `invalid headers.WWW-Authenticate set "Bearer"`, "WWW-Authenticate"},
	{"laravel", "", "list body.data[].id text", "id"},
	{"laravel", "", "list body.data[].settings.utm.source set null", "source"},
	{"laravel", "", "missing status set 200", "missing_token"},
	{"django", "", `list body.results[].created_at replace ["T"," "]`, "timestamps"},
	{"django", "", `list body.results[].budget times 2; list body.results[].budget set 7.25`, "budget"},
	{"fastapi", "", "missing status set 401", "missing_token"},
	{"fastapi", "", `list body.items[].targeting.age.min rename "from"`, "min"},
	{"fastapi", "", "errors body.detail array", "detail"},
	{"jsonapi", "", `list body.data[].attributes.title rename "headline"`, "title"},
	{"jsonapi", "", `list headers.Content-Type set "application/json"`, "Content-Type"},
	{"jsonapi", "", "list body.links gone", "links"},
	{"laravel", "", "list body.meta.links[].label gone", "label"},
	{"graphql", "", "list body.data.viewer.campaigns.pageInfo.endCursor set 7", "endCursor"},
	{"stripe", "", "list body.has_more gone", "has_more"},
	{"stripe", "", "list body.data[].created times 1000", "timestamps"},
	{"stripe", "", "list body.data[].metadata set null", "metadata"},
	{"salesforce", "", "errors body first", "invalid_token"},
	{"salesforce", "", `list body.records[].attributes.type rename "kind"`, "type"},
	{"hubspot", "", "list body.results[].properties.hs_name gone", "hs_name"},
	{"hubspot", "", "list body.results[].properties.hs_color gone-one", "hs_color"},
	{"facebook", "", "invalid body.error.code set 463", "code"},
	{"facebook", "", `errors body.error.type set "GraphMethodException"`, "type"},
	{"spring", "", `list body._embedded.campaigns rename "items"`, "items"},
	{"spring", "", "list body._embedded.campaigns[]._links.self.href array", "href"},
	{"spring", "", `invalid headers.WWW-Authenticate set "Bearer"`, "WWW-Authenticate"},
	{"graphql", "", "list body.data.viewer.campaigns.edges[].node.clicks text", "clicks"},
	{"graphql", "", "list body.data.viewer.campaigns.edges[].node.owner.email set 7", "email"},
	{"graphql", "", `invalid body.errors[].extensions.code set "NOT_FOUND"`, "code"},
	{"dotnet", "", `invalid headers.WWW-Authenticate set "Bearer"`, "WWW-Authenticate"},
	{"dotnet", "", "list body.items[].owner.email gone", "email"},
	{"dotnet", "", "list body.items[].channels[].weight text", "weight"},
	{"strapi", "", `list body.data[].attributes.seo.metaTitle rename "title"`, "metaTitle"},
	{"strapi", "", "list body.data[].attributes.publishedAt gone", "publishedAt"},
	{"bare", "", "list body[].site gone", "site"},
	{"bare", "", `list body[].created_at replace [" ","T"]`, "timestamps"},
	{"epoch", "", "list body.campaigns[].created_at times 1000; list body.campaigns[].updated_at times 1000", "timestamps"},
	{"epoch", "", "list body.campaigns[].budget_micros gone", "budget_micros"},
	{"mongo", "", "list body.data[].budget.amount text", "amount"},
	{"mongo", "", "invalid body.success gone", "success"},
}

// news are changes that add something: a warning, which counts with --strict.
var news = []move{
	{"dotnet", "", "list body.items[].extra set 1", "extra"},
	{"strapi", "", "list body.data[].attributes.seo.robots set null", "robots"},
	{"bare", "data statuses 2", "data statuses 3", "status"},
	{"django", "", `errors body.code set "authentication_failed"`, "code"},
}

// A service that was learnt moves. What breaks a client differs, what is new is a warning,
// and other data are nothing.
func TestServicesMove(t *testing.T) {
	t.Parallel()
	started := make(map[string][]move)
	for _, m := range slices.Concat(data, breaks, news) {
		key := m.family + "; " + m.before
		started[key] = append(started[key], m)
	}
	for _, key := range slices.Sorted(maps.Keys(started)) {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			first := started[key][0]
			l := learn(t, first.family, changes(first.before)...)
			for _, m := range started[key] {
				t.Run(m.change, func(t *testing.T) {
					t.Parallel()
					status, args := 0, []string{l.file}
					switch {
					case slices.Contains(breaks, m):
						status = 4
					case slices.Contains(news, m):
						status, args = 4, append(args, "--strict")
					}
					s := start(t, "families.py", append([]string{m.family}, changes(m.before+"; "+m.change)...)...)
					o := compare(t, s.baseURL, args...)
					s.safe(t)
					if o.status != status || !strings.Contains(o.String(), m.finds) {
						t.Errorf("the status is %d, want %d, and %q in\n%s", o.status, status, m.finds, o)
					}
				})
			}
		})
	}
}

// changes splits a list of changes.
func changes(list string) []string {
	return slices.DeleteFunc(strings.Split(list, "; "), func(change string) bool { return change == "" })
}
