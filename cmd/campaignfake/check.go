package main

import "fmt"

type checkCommand struct {
	Fixtures []string `arg:"" help:"Files and folders of fixtures."`
}

func (c *checkCommand) Run() error {
	set, err := loadFixtures(c.Fixtures)
	if err != nil {
		return explainMistakes(err)
	}
	users := "users"
	if len(set.Users) == 1 {
		users = "user"
	}
	fmt.Printf("%d %s, no mistakes\n", len(set.Users), users)
	return nil
}
