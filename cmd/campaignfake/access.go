package main

import "example.com/campaignfake/fixtures"

// hosts are names and IP addresses.
type hosts []string

func (h hosts) check() error { return checkEach(h, fixtures.CheckHost) }

// pageOrigins are origins of pages.
type pageOrigins []string

func (o pageOrigins) check() error { return checkEach(o, fixtures.CheckOrigin) }

// checkEach returns the error in the first element that has one.
func checkEach(elements []string, check func(string) error) error {
	for _, element := range elements {
		if err := check(element); err != nil {
			return err
		}
	}
	return nil
}
