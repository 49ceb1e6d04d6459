package advice

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// slashes match a doubled slash, or more of them.
var slashes = text.Pattern(`//+`)

// NearMiss describes in a sentence how the path of a request differs from that of the route.
func NearMiss(method, path, base string) string {
	if method == http.MethodConnect {
		return "The method is CONNECT, which is for proxies, and this server is none."
	}
	want := base + plan.CampaignsPath
	rest := path
	var differences []string
	step := func(difference, changed string) {
		if changed != rest {
			rest = changed
			differences = append(differences, difference)
		}
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		step("parts of it are percent-encoded", decoded)
	}
	step("it has a doubled slash", slashes().ReplaceAllString(rest, "/"))
	if trimmed := strings.TrimRight(rest, "/"); trimmed != "" {
		step("it ends in a slash", trimmed)
	}
	if strings.EqualFold(rest, want) {
		step("its letters are in another case", want)
	}
	switch rest {
	case plan.CampaignsPath:
		step("the base path "+base+" is missing", want)
	case base + want:
		step("the base path "+base+" is there twice", want)
	}
	if rest != want {
		return fmt.Sprintf("The path is %s.", words.Shorten(path))
	}
	return fmt.Sprintf("The path %s is nearly right, but %s.", words.Shorten(path), strings.Join(differences, ", and "))
}
