module example.com/campaignfake/ci/page

go 1.25.0
