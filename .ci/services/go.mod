module example.com/campaignfake/ci/services

go 1.25.0
