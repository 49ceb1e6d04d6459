package size

import (
	"testing"

	"example.com/campaignfake/fake"
)

func TestServer(t *testing.T) { fake.NewTestServer(t) }
