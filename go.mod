module example.com/campaignfake

go 1.25.0

require (
	github.com/brianvoe/gofakeit/v7 v7.18.1
	gopkg.in/yaml.v3 v3.0.1
)
