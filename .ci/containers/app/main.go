// App asks the API at API_URL for paths, and prints what it has there. With serve in place of
// paths, it is an API that has everything but campaigns.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	paths := os.Args[1:]
	if paths[0] == "serve" {
		panic(http.ListenAndServe(":8080", http.HandlerFunc(serve)))
	}
	for _, path := range paths {
		fmt.Println(path, "is", get(path))
	}
}

func serve(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "what %s has at %s", r.Host, r.URL)
}

// get waits until the API has started.
func get(path string) string {
	for {
		request, _ := http.NewRequest("GET", os.Getenv("API_URL")+path, nil)
		request.Header.Set("Authorization", "Bearer alice")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != http.StatusBadGateway {
			return string(body)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
