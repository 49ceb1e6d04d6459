package main

// measurements returns all of them, in the order of the table.
func measurements() []measurement {
	all := []measurement{
		testServer("test server, start and close", "testserver", "httptest.NewServer, start and close", 500),
		testServer("test server in memory, start and close", "inmemory", "httptest.NewServer, start and close", 500),
		testServer("test server with a user and one request", "request", "httptest.NewServer with a handler and one request", 250),
		testBinarySize(),
	}
	for _, b := range []build{asImage, inlining} {
		for _, campaigns := range []int{10, 1000} {
			all = append(all, cpuPerRequest(b, campaigns))
		}
	}
	return append(all,
		start("gallery"),
		start("own fixtures"),
		memoryAfterRequests(),
		memoryAfterTokens(),
		binarySize(asImage),
		binarySize(inlining),
		body("a user", "PUT", "/_fake/users?token=figures", userOfTwoMegabytes),
		body("replies", "POST", "/_fake/replies?token=token", repliesOfTwoMegabytes),
		generate("yaml"),
		generate("json"),
		load(),
		waiting("hang", "{replies: [{fault: hang, times: always}]}", "hang"),
		waiting("stall", "{generate: {count: 10}, replies: [{fault: stall, times: always}]}", "stall"),
		waiting("delay", "{delay: 1h}", "hang"),
		followed(),
		firstPaint(),
	)
}

const bare = "bare net/http"
