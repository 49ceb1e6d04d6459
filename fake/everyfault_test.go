package fake_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// everyFault returns the faults of the format.
func everyFault(t *testing.T) []fixtures.Fault {
	t.Helper()
	var schema struct {
		Definitions struct {
			Fault struct{ Enum []fixtures.Fault }
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Definitions.Fault.Enum) == 0 {
		t.Fatal("the schema has no faults")
	}
	return schema.Definitions.Fault.Enum
}

// Each fault that the format has breaks the answer. One that has no function makes the handler
// panic, which fails the test.
func TestEveryFaultBreaksTheAnswer(t *testing.T) {
	t.Parallel()
	for _, fault := range everyFault(t) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const patience = time.Minute
				srv := fake.NewTestServer(t, fake.WithInMemory(),
					fake.WithUser("alice", faulty(string(fault))),
					fake.WithUser("bob",
						fixtures.User{Campaigns: []fixtures.Campaign{spring, spring}}),
				)
				_, whole := list(t, srv, "bob")
				client := *srv.Client()
				client.Timeout = patience
				began := time.Now()
				response, err := client.Do(listRequest(t, srv, "alice"))
				var body []byte
				if err == nil {
					body, err = io.ReadAll(response.Body)
					response.Body.Close()
				}
				if err == nil && string(body) == whole {
					t.Errorf("the client receives the whole answer: %s", body)
				}
				synctest.Wait()
				entry := srv.Requests("alice")[0]
				if !strings.HasPrefix(entry.Reason, "scripted: "+string(fault)) {
					t.Errorf("the reason is %q", entry.Reason)
				}

				// Clients repeat a request whose connection breaks before any byte, if it was used
				// before. So each is used once while a reply has such a fault.
				breaksConnection := response == nil && time.Since(began) < patience
				once := fixtures.User{Replies: []fixtures.Reply{{Fault: fault}}}
				handler := newHandler(t,
					fake.WithUser("alice", once),
					fake.WithUser("bob", fixtures.User{}),
				)
				isUsedOnce := record(handler, "bob").Header().Get("Connection") == "close"
				if breaksConnection != isUsedOnce {
					t.Errorf("that the fault breaks the connection is %t, and that each is "+
						"used once %t",
						breaksConnection, isUsedOnce)
				}
			})
		})
	}
}
