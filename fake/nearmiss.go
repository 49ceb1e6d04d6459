package fake

import (
	"fmt"
	"net/url"
	"strings"
)

// nearMiss describes in a sentence how a path differs from that of the route.
func nearMiss(path, base string) string {
	want := base + campaignsPath
	rest := path
	var faults []string
	step := func(fault string, changed string) {
		if changed != rest {
			rest = changed
			faults = append(faults, fault)
		}
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		step("parts of it are percent-encoded", decoded)
	}
	collapsed := rest
	for strings.Contains(collapsed, "//") {
		collapsed = strings.ReplaceAll(collapsed, "//", "/")
	}
	step("it has a doubled slash", collapsed)
	if trimmed := strings.TrimRight(rest, "/"); trimmed != "" {
		step("it ends in a slash", trimmed)
	}
	for _, known := range []string{want, campaignsPath, base + want} {
		if strings.EqualFold(rest, known) {
			step("its letters are in another case", known)
			break
		}
	}
	switch rest {
	case campaignsPath:
		step("the base path "+base+" is missing", want)
	case base + want:
		step("the base path "+base+" is there twice", want)
	}
	if rest != want {
		return fmt.Sprintf("The path is %s.", shorten(path))
	}
	return fmt.Sprintf("The path %s is nearly right, but %s.", shorten(path), strings.Join(faults, ", and "))
}
