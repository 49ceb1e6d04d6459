package main

const (
	connections = 8    // that send at once
	warmUp      = 2000 // requests, by which the journal is full
)

// cpuPerRequest measures the CPU time of the server for each request over loopback,
// with and without its log. Each time a new process is measured.
func cpuPerRequest(campaigns int) measurement {
	name := "CPU per request, " + thousands(campaigns) + " campaigns"
	return measurement{
		figures: []figure{
			{name: name + ", log off", reference: bare, unit: "µs"},
			{name: name + ", log on", reference: bare, unit: "µs"},
		},
		own: func(t *tree) []float64 {
			fixtures := t.campaigns(campaigns)
			return []float64{cpuOf(t.serve(fixtures, "--quiet")), cpuOf(t.serve(fixtures))}
		},
		reference: func(t *tree) []float64 {
			spent := cpuOf(t.bare("token", t.campaigns(campaigns)))
			return []float64{spent, spent}
		},
	}
}

// cpuOf returns the microseconds of CPU that a server takes for a request, and
// stops it.
func cpuOf(s *server) float64 {
	defer s.stop()
	return cpuOfRequests(s, 8000)
}

// cpuOfRequests returns the microseconds of CPU that a server takes for each of so
// many requests.
func cpuOfRequests(s *server, requests int) float64 {
	all := dialAll(s.root, "token", connections)
	defer all.close()
	all.send(warmUp)
	before := cpu(s.pid())
	all.send(requests)
	return (cpu(s.pid()) - before) / 1e3 / float64(requests)
}
