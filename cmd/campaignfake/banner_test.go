package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"example.com/campaignfake/fixtures"
)

// The banner shows texts of fixtures as plain text: no character reaches the terminal that could
// move its cursor, colour it, or reverse a line.
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
	b := banner{set: &fixtures.Set{Users: users}}
	text := b.String()
	if lines := strings.Count(text, "\n"); lines > 60 {
		t.Errorf("the banner has %d lines", lines)
	}
	for _, want := range []string{
		"aaaa…  word word", "word…\n", "and 4961 more", "'Authorization: Bearer t0000'",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the banner lacks %q:\n%s", want, text)
		}
	}
}

// The banner has the URLs for this machine, and a sentence says how other machines reach the
// server.
func TestBannerOfAllAddresses(t *testing.T) {
	t.Parallel()
	b := banner{
		source: "fixtures.yaml",
		set: &fixtures.Set{Users: map[string]fixtures.User{
			"few":   {Campaigns: make([]fixtures.Campaign, 1)},
			"words": {Description: "in\n  words", Generate: &fixtures.Generate{Count: 3}},
		}},
		basePath:      "/api",
		hasPage:       true,
		unknownTokens: "generate",
		upstream:      "http://api:8080",
		root:          "http://127.0.0.1:8642",
		isEverywhere:  true,
	}
	const want = ` serves fixtures.yaml

  base URL  http://127.0.0.1:8642/api
  page      http://127.0.0.1:8642/_fake/
  health    http://127.0.0.1:8642/_fake/health
  upstream  http://api:8080, which answers everything else

  Other machines use the name of this one. A container is reached at the port that it
  publishes, and from other containers by its name.

  TOKEN      ANSWER
  few        1 campaign
  words      in words
  any other  10 generated campaigns, always the same for the same token

  curl -H 'Authorization: Bearer few' 'http://127.0.0.1:8642/api/user/campaigns'

`
	if got := b.String(); !strings.HasSuffix(got, want) {
		t.Errorf("the banner is\n%s\nwant it to end in\n%s", got, want)
	}
}
