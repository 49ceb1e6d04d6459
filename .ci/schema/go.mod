module example.com/campaignfake/ci/schema

go 1.25.0

require (
	example.com/campaignfake v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/brianvoe/gofakeit/v7 v7.18.1 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace example.com/campaignfake => ../..
