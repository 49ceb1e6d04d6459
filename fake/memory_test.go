package fake_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake"
)

// acrossBubbles is the variable that makes the test binary cross the border of a
// bubble, which would end the whole binary if it went wrong.
const acrossBubbles = "TEST_BINARY_CROSSES_BUBBLES"

// A server is used where it was made: inside its bubble, or outside of any. Whoever else
// asks has an error.
func TestInMemoryAcrossBubbles(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(t *testing.T) error{
		"made outside and used inside": func(t *testing.T) (err error) {
			srv := fake.NewTestServer(t, fake.WithInMemory())
			synctest.Test(t, func(t *testing.T) {
				_, err = srv.Client().Get(srv.BaseURL() + "/user/campaigns")
			})
			return err
		},
		"made inside and used outside": func(t *testing.T) (err error) {
			made, done := make(chan *fake.Server), make(chan error)
			go func() {
				srv := <-made
				_, err := srv.Client().Get(srv.BaseURL() + "/user/campaigns")
				done <- err
			}()
			synctest.Test(t, func(t *testing.T) {
				made <- fake.NewTestServer(t, fake.WithInMemory())
				err = <-done
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if os.Getenv(acrossBubbles) != "" {
				if err := ask(t); err == nil || !strings.Contains(err.Error(), "bubble") {
					t.Errorf("the error is %v, want one that speaks of the bubble", err)
				}
				return
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			pattern := "^TestInMemoryAcrossBubbles$/^" + strings.ReplaceAll(name, " ", "_") + "$"
			cmd := exec.CommandContext(t.Context(), self, "-test.run="+pattern)
			cmd.Env = append(os.Environ(), acrossBubbles+"=1")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "PASS") {
				t.Errorf("the test binary ends with %v:\n%s", err, out)
			}
		})
	}
}
