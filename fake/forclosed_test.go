package fake_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// A server that ends does not wait for a release, even if nothing bounds its end.
func TestShutdownWithoutDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{Delay: &fake.Delay{UntilReleased: true}}))
		c := srv.For(t)
		go func() {
			r, _ := http.NewRequest("GET", c.BaseURL()+"/user/campaigns", nil)
			r.Header = bearer("alice")
			srv.Client().Do(r)
		}()
		synctest.Wait()
		begin := time.Now()
		srv.Shutdown(context.Background()) // and then For has nothing to put back
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("the end takes %s", took)
		}
	})
}
