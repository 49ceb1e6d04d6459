module example.com/campaignfake/ci/figures

go 1.25.0
