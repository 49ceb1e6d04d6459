package control

import (
	"net/http"
	"slices"

	"example.com/campaignfake/fake/internal/report"
)

// getUnplayed lists the replies that a test gave a finite number of times, and that have
// not been played so often.
func getUnplayed(c *call) error {
	token, given := c.query["token"]
	list := slices.DeleteFunc(c.plane.Unplayed(), func(u report.Unplayed) bool { return given && u.Token != token })
	return c.json(http.StatusOK, object{"unplayed": list})
}
