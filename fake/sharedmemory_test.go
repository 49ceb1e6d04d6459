package fake_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
)

// allocated returns how many bytes a function allocates. Nothing else may run at the time.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A list is stored once for all of its users. The body for each token is made at its first
// request, and only then. The test runs alone, since it counts what is allocated.
func TestMemoryOfSharedLists(t *testing.T) {
	const users, campaigns, size = 1000, 2000, 200_000
	for name, campaign := range map[string]string{
		"complete":    "{id: c, name: '%d %s', created_at: a, updated_at: b, status: s}",
		"without ids": "{name: '%d %s', created_at: a, updated_at: b, status: s}",
	} {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			text.WriteString("x-list: &list\n")
			for i := range campaigns {
				fmt.Fprintf(&text, "- "+campaign+"\n", i, strings.Repeat("x", 50))
			}
			text.WriteString("users:\n")
			for i := range users {
				fmt.Fprintf(&text, "  u%d: {campaigns: *list}\n", i)
			}
			var srv *fake.Server
			started := allocated(func() {
				srv = fake.NewTestServer(t, fake.WithInMemory(), fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(text.String())}}))
			})
			if started > users*size/4 {
				t.Errorf("the start allocates %d bytes, which is more than the list for a quarter of its users", started)
			}
			head := func() { // which sends no body, so that only making it takes memory
				if response, _ := ask(t, srv, "HEAD", listPath, bearer("u7")); response.StatusCode != http.StatusOK {
					t.Errorf("the status is %d", response.StatusCode)
				}
			}
			ask(t, srv, "HEAD", listPath, bearer("u6"))
			if first := allocated(head); first < size {
				t.Errorf("the first request of a token allocates %d bytes", first)
			}
			if second := allocated(head); second > size/2 {
				t.Errorf("the second request of a token allocates %d bytes", second)
			}
		})
	}
}
