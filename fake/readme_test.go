package fake_test

import (
	"os"
	"strings"
	"testing"
)

// The Go code of the README is that of examples, which run.
func TestREADMECodeIsTested(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("there is no Go code in the README")
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		indented := "\t" + strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n\t")
		if !strings.Contains(string(examples), indented) {
			t.Errorf("this code of the README stands in no example:\n%s", code)
		}
	}
}

// The configurations that are shown are those that are proven with a real engine and
// a real proxy.
func TestReadmeShowsWhatIsProven(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, language := range map[string]string{"containers/compose.yaml": "yaml", "replicas/nginx.conf": "nginx"} {
		proven, err := os.ReadFile("../.ci/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if block := "```" + language + "\n" + string(proven) + "```\n"; !strings.Contains(string(text), block) {
			t.Errorf("the README does not show .ci/%s, which is\n%s", name, proven)
		}
	}
}
