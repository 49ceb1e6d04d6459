module example.com/campaignfake/ci/containers

go 1.25.0
