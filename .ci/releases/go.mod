module example.com/campaignfake/ci/releases

go 1.25.0
