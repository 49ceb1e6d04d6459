package main

const bare = "bare net/http"

// measurements returns all of them, in the order of the table.
func measurements() []measurement {
	return []measurement{
		testServer("test server, start and close", "httptest.NewServer, start and close", 2000),
		testServer("test server in memory, start and close", "httptest.NewServer, start and close", 2000),
		testServer("test server with a user and one request", "httptest.NewServer with a handler and one request", 500),
		testBinarySize(),
		cpuPerRequest(10),
		cpuPerRequest(1000),
		start("gallery", "demo", withGallery, false),
		start("own fixtures", "token", withOwnFixtures, true),
		memoryAfterRequests(),
		memoryAfterTokens(),
		binarySize(),
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
	}
}
