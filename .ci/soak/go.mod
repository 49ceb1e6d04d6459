module example.com/campaignfake/ci/soak

go 1.25.0

require example.com/campaignfake v0.0.0

require (
	github.com/brianvoe/gofakeit/v7 v7.18.1 // indirect
	github.com/gorilla/mux v1.8.1 // indirect
	github.com/rs/cors v1.11.1 // indirect
	golang.org/x/time v0.15.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace example.com/campaignfake => ../..
