package main

import (
	"cmp"
	"strings"

	"example.com/campaignfake/fixtures"
)

// hosts are names and IP addresses with commas between them.
type hosts []string

func (h *hosts) UnmarshalText(text []byte) error {
	*h = append(*h, list(text)...)
	return cmp.Or(notEmpty(text), checkEach(*h, fixtures.CheckHost))
}

// pageOrigins are origins with commas between them.
type pageOrigins []string

func (o *pageOrigins) UnmarshalText(text []byte) error {
	*o = append(*o, list(text)...)
	return cmp.Or(notEmpty(text), checkEach(*o, fixtures.CheckOrigin))
}

// list returns the elements of a text that has commas between them.
func list(text []byte) (elements []string) {
	for element := range strings.SplitSeq(string(text), ",") {
		elements = append(elements, strings.TrimSpace(element))
	}
	return elements
}

// checkEach returns the error in the first element that has one.
func checkEach(elements []string, check func(string) error) error {
	for _, element := range elements {
		if err := check(element); err != nil {
			return err
		}
	}
	return nil
}
