module example.com/campaignfake/ci/replicas

go 1.25.0
