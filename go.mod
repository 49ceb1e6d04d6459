module example.com/campaignfake

go 1.25.0

require (
	github.com/brianvoe/gofakeit/v7 v7.18.1
	github.com/gorilla/mux v1.8.1
	github.com/rs/cors v1.11.1
	gopkg.in/yaml.v3 v3.0.1
)

require golang.org/x/time v0.15.0

require github.com/alecthomas/kong v1.17.0
