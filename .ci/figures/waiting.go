package main

const waitingClients = 5000

// waiting measures what clients cost that wait, for an answer or the rest of one: the
// memory for each, and the CPU that the requests of others take meanwhile. The
// fixture is the user they wait for; the bare server has them wait for its token.
func waiting(name, user, bareToken string) measurement {
	return measurement{
		figures: []figure{
			{name: "memory per waiting client, " + name, reference: bare, unit: "KiB", more: true},
			{name: "CPU per request of others while " + thousands(waitingClients) + " wait, " + name, reference: bare, unit: "µs", more: true},
		},
		own: func(t *tree) []float64 {
			fixtures := t.file("waiting "+name+".yaml", "users:\n  token: {generate: {count: 10}}\n  waiting: "+user+"\n")
			return holdBack(t.serve("--quiet", fixtures), "waiting")
		},
		reference: func(t *tree) []float64 { return holdBack(t.bare("token", t.campaigns(10)), bareToken) },
	}
}

// holdBack has clients wait for a token, measures, and stops the server.
func holdBack(s *server, token string) []float64 {
	defer s.stop()
	others := dialAll(s.root, "token", connections)
	defer others.close()
	others.send(warmUp)
	before := memory(s.pid())
	waiting := dialAll(s.root, token, waitingClients)
	defer waiting.close()
	for _, c := range waiting {
		must(c.conn.Write(c.request))
	}
	// By the time that these are answered, the server has read those before them.
	others.send(warmUp)
	return []float64{(memory(s.pid()) - before) * 1024 / waitingClients, cpuOfRequests(s, 4000)}
}
