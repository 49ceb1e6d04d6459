package services

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// compareTo compares a service with a file, and writes to the same file. It returns its text.
func compareTo(t *testing.T, file, script string, args ...string) (outcome, string) {
	t.Helper()
	o := compare(t, start(t, script, args...).baseURL, file, "--write", file, "--format", "text")
	return o, dated.ReplaceAllString(written(t, file), "at: then")
}

var dated = regexp.MustCompile(`at: "?2[-0-9TZ:]+"?`)

// What is written stands below observed: all else in the file stays as it was.
func TestWriteChangesObservedAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ours.yaml")
	before := "# Ours, and our comments.\nusers:\n  alice: # in front\n    campaigns: [{name: Spring}]\nobserved: {at: 2020-01-01, ids: integers, timestamps: sql}\nservice: {statuses: [here, gone],   prefer: off} # behind\n"
	if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	o, text := compareTo(t, file, "families.py", "spring")
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(line, "observed:") && !strings.Contains(text, line) {
			t.Errorf("the file has no more %q", line)
		}
	}
	for _, want := range []string{"_embedded:", "amount:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no %q", want)
		}
	}
	if strings.Contains(text, "ids: integers") || strings.Contains(text, "timestamps: sql") {
		t.Error("the file has what was observed before")
	}
	if t.Failed() {
		t.Logf("%s\n%s", text, o)
	}
}

// A run in which a question has no answer fills what the file lacks, and changes nothing else.
func TestPartialRunsFillWhatLacks(t *testing.T) {
	t.Parallel()
	t.Run("a whole file", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "observed.yaml")
		compare(t, start(t, "trouble.py", "drips").baseURL, "--write", file)
		whole := dated.ReplaceAllString(written(t, file), "at: then")
		if err := os.WriteFile(file, []byte(strings.Replace(whole, "at: then", "at: 2026-01-01", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if o, text := compareTo(t, file, "trouble.py", "502-always"); o.status != 5 || text != whole {
			t.Errorf("the status is %d, want 5, and the file is\n%s, want\n%s", o.status, text, whole)
		}
	})
	t.Run("a file with gaps", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "observed.yaml")
		if err := os.WriteFile(file, []byte("observed: {at: 2026-01-01, ids: integers, responses: {not_found: {status: 410}}}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		o, text := compareTo(t, file, "trouble.py", "502-always")
		for _, want := range []string{"ids: integers", "timestamps: rfc3339", "410"} {
			if !strings.Contains(text, want) {
				t.Errorf("the file has no %q:\n%s\n%s", want, text, o)
			}
		}
	})
}

// Of two names that could be a documented field's, none is taken, and the report asks; what
// is then written by hand stays.
func TestPlacesThatAreSetByHandStay(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "observed.yaml")
	if err := os.WriteFile(file, []byte("observed: {at: 2026-01-01}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o, text := compareTo(t, file, "shapes.py", "two-names")
	if strings.Contains(text, "{name}") || !strings.Contains(o.stdout, "title") || !strings.Contains(o.stdout, "label") {
		t.Fatalf("a name is taken, or the report does not ask which:\n%s\n%s", text, o.stdout)
	}
	text = regexp.MustCompile(`label: .*`).ReplaceAllString(written(t, file), `label: "{name}"`)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if o, text = compareTo(t, file, "shapes.py", "two-names"); o.status != 0 || !strings.Contains(text, "{name}") {
		t.Errorf("the status is %d, and the file is\n%s\n%s", o.status, text, o)
	}
}

// With an origin it is asked whether its pages can read answers, errors among them.
func TestOrigin(t *testing.T) {
	t.Parallel()
	s := start(t, "shapes.py", "own-origin")
	for _, c := range []struct{ origin, says string }{
		{"https://app.example.com", "https://app.example.com"}, {"https://other.example.com", "off"},
	} {
		t.Run(c.origin, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "observed.yaml")
			o := compare(t, s.baseURL, "--origin", c.origin, "--format", "text", "--write", file)
			if text := written(t, file); o.status != 4 || !regexp.MustCompile("cors: \\['?"+c.says+"'?\\]").MatchString(text) {
				t.Errorf("the status is %d, and the file is\n%s\n%s", o.status, text, o.stdout)
			}
			if c.says != "off" && (!strings.Contains(o.stdout, "cors.errors") || !strings.Contains(o.stdout, "cors.credentials")) {
				t.Errorf("the report does not say that pages cannot read errors, and that credentials are sent:\n%s", o.stdout)
			}
		})
	}
}

// Texts of errors, and values of enums, are kept and watched when that is asked for.
func TestKeepTexts(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "observed.yaml")
	if o := compare(t, start(t, "shapes.py", "texts").baseURL, "--keep-texts", "--write", file); o.status != 4 {
		t.Errorf("the status is %d, want 4\n%s", o.status, o)
	}
	for shape, status := range map[string]int{"texts": 0, "texts-other": 4, "texts-more": 4} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			if o := compare(t, start(t, "shapes.py", shape).baseURL, file, "--keep-texts", "--strict"); o.status != status {
				t.Errorf("the status is %d, want %d\n%s", o.status, status, o)
			}
		})
	}
}
