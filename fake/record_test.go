package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A recorded user gets from the fake what the service answers, here another fake.
func TestRecord(t *testing.T) {
	t.Parallel()
	edges := fixtures.User{Generate: &fixtures.Generate{Count: 20, EdgeCases: "all"}}
	service := fake.NewTestServer(t, fake.WithUser("edges", edges))
	target := fake.Target{BaseURL: service.BaseURL(), Token: "edges"}
	recording, err := fake.Record(t.Context(), target)
	if err != nil || len(recording.Notes) > 0 {
		t.Fatalf("recorded is %+v, %v", recording, err)
	}
	_, want := list(t, service, "edges")
	saved, err := fake.RecordAnswer([]byte(want), "")
	if err != nil || len(saved.Notes) > 0 {
		t.Fatalf("recorded is %+v, %v", saved, err)
	}
	srv := fake.NewTestServer(t,
		fake.WithUser("recorded", recording.User),
		fake.WithUser("saved", saved.User))
	for _, token := range []string{"recorded", "saved"} {
		if _, got := list(t, srv, token); got != want {
			t.Errorf("the user %s gets\n%s\nwant\n%s", token, got, want)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	t.Parallel()
	service := fake.NewTestServer(t)
	for want, target := range map[string]fake.Target{
		"the token cannot be sent":  {BaseURL: service.BaseURL(), Token: "a b"},
		"neither HTTPS nor on this": {BaseURL: "http://example.com/api", Token: "alice"},
		"refuses the token (401)":   {BaseURL: service.BaseURL(), Token: "alice"},
		"the service is not there: nothing listens at 127.0.0.1:1; " +
			"start it, or correct the base URL": {
			BaseURL: "http://127.0.0.1:1/api", Token: "alice",
		},
	} {
		recording, err := fake.Record(t.Context(), target)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("recorded is %+v, %v; want the error %q", recording, err, want)
		}
	}
}
