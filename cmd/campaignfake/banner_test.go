package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"example.com/campaignfake/fixtures"
)

// bannerOf returns the banner of a server with these users.
func bannerOf(users map[string]fixtures.User, unknownTokens string) string {
	b := banner{
		source:        "fixtures.yaml",
		set:           &fixtures.Set{Users: users},
		roots:         serverRoots{own: "http://127.0.0.1:1"},
		basePath:      "/api",
		unknownTokens: unknownTokens,
	}
	return b.String()
}

// Whatever a fixture says, it says it as plain text: nothing reaches the
// terminal that could move its cursor, colour it, or turn a line around.
func TestBannerIsPlain(t *testing.T) {
	t.Parallel()
	nasty := "a\x1b[31mred\x07\b\r\n\t\x00\u009b2J \u202edesrever\u200b\u2066\ufeff end"
	b := banner{
		source:        nasty,
		set:           &fixtures.Set{Users: map[string]fixtures.User{"t": {Description: nasty}}},
		unknownTokens: "reject",
	}
	text := b.String()
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("the banner has the character %U in it:\n%q", r, text)
		}
	}
	if got := strings.Count(text, "end\n"); got != 2 {
		t.Errorf("the text ends %d lines, want those of the source and of the user:\n%s", got, text)
	}
}

func TestBannerOfManyAndLongTokens(t *testing.T) {
	t.Parallel()
	users := map[string]fixtures.User{
		strings.Repeat("a", 8192): {Description: strings.Repeat("word ", 10_000)},
	}
	for i := range 5000 {
		users[fmt.Sprintf("t%04d", i)] = fixtures.User{}
	}
	text := bannerOf(users, "reject")
	lines := strings.Split(text, "\n")
	if len(lines) > 60 {
		t.Errorf("the banner has %d lines", len(lines))
	}
	for _, line := range lines {
		if len([]rune(line)) > 180 {
			t.Errorf("a line is %d characters long: %.200s", len([]rune(line)), line)
		}
	}
	for _, want := range []string{
		"aaaa…  word word", "word…\n", "and 4961 more", "'Authorization: Bearer t0000'",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the banner lacks %q:\n%s", want, text)
		}
	}
	// Columns line up under each other.
	column := strings.Index(lines[5], "ANSWER")
	for _, line := range lines[6:48] {
		runes := []rune(line)
		if len(runes) <= column || runes[column] == ' ' || runes[column-1] != ' ' {
			t.Errorf("the second column does not start at %d: %q", column, line)
		}
	}
}

func TestBannerSaysWhatTokensGet(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"generate":  "any other  10 generated campaigns, always the same",
		"reject":    "any other  the response to an invalid token\n",
		"like demo": "any other  like demo\n",
	} {
		got := bannerOf(nil, how)
		for _, want := range []string{want, "'Authorization: Bearer any-token'"} {
			if !strings.Contains(got, want) {
				t.Errorf("the banner lacks %q:\n%s", want, got)
			}
		}
	}
	users := map[string]fixtures.User{
		"few":   {Campaigns: make([]fixtures.Campaign, 1)},
		"words": {Description: "in\n  words", Generate: &fixtures.Generate{Count: 3}},
	}
	got := bannerOf(users, "reject")
	for _, want := range []string{
		"  few        1 campaign\n", "  words      in words\n", "'Authorization: Bearer few'",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the banner lacks %q:\n%s", want, got)
		}
	}
}

// In a container, loopback leads nowhere from where people are.
func TestBannerOfAContainer(t *testing.T) {
	t.Parallel()
	b := banner{
		set:      &fixtures.Set{Users: map[string]fixtures.User{"t": {}}},
		basePath: "/api",
		hasPage:  true,
		roots: serverRoots{
			own:         "http://172.17.0.2:8642",
			network:     []string{"http://172.18.0.2:8642"},
			inContainer: true,
		},
	}
	got := b.String()
	const want = `
  base URL  http://172.17.0.2:8642/api
  network   http://172.18.0.2:8642/api
  page      http://172.17.0.2:8642/_fake/
  health    http://172.17.0.2:8642/_fake/health

  Elsewhere, use the container's name, or the port that it publishes.

  TOKEN      ANSWER
`
	const command = "\n  curl -H 'Authorization: Bearer t' " +
		"'http://172.17.0.2:8642/api/user/campaigns'\n"
	if !strings.Contains(got, want) || !strings.Contains(got, command) ||
		strings.Contains(got, "127.0.0.1") {
		t.Errorf("the banner is\n%s", got)
	}
}
