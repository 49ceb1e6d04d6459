module example.com/campaignfake/ci/clients

go 1.25.0
