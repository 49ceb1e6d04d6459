package clients

import (
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// Each habit of published clients works against the profile that is theirs, and fails
// against others, as it would against a service of another kind.
func TestHabitsOfPublishedClients(t *testing.T) {
	t.Parallel()
	for profile, want := range map[string][]string{
		"":           {"maps the body: TypeError", "takes data.campaigns: 8", "takes both: 8", "adds up ids: false", "waits for retry_after: undefined"},
		"bare-array": {"maps the body: 8", "takes data.campaigns: TypeError", "takes both: 8", "waits for retry_after: undefined"},
		"framework":  {"takes data.campaigns: 8", "waits for retry_after: 30"},
		"wide":       {"takes data.campaigns: 8", "takes both: 8"},
	} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			var args []string
			if profile != "" {
				args = []string{"--profile", profile}
			}
			out, err := exec.Command("node", "habits.mjs", process.Start(t, args...).BaseURL).Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, line := range want {
				if !strings.Contains(string(out), line+"\n") {
					t.Errorf("the habits do not come to %q:\n%s", line, out)
				}
			}
		})
	}
}
