package main

import (
	"os"
	"strconv"
)

const loaded = 200_000

// load measures how campaigns are read from a file of YAML, beside the bare library.
func load() measurement {
	side := func(of string) measure {
		return func(t *tree) []float64 {
			file := t.make("campaigns.yaml", func(path string) {
				text := must(output("", nil, t.command(), "generate", "--token=token", "--count="+strconv.Itoa(loaded)))
				check(os.WriteFile(path, []byte(text), 0o600))
			})
			run := t.run(1, of, file)
			return []float64{run.cpu / 1e6, run.peak / 1024}
		}
	}
	name, reference := "load "+thousands(loaded)+" campaigns from YAML", "yaml.v3, decoded into nodes"
	return measurement{
		figures: []figure{{name: name + ": CPU", reference: reference, unit: "ms"}, {name: name + ": peak memory", reference: reference, unit: "MiB"}},
		own:     side("load"), reference: side("yaml.v3"),
	}
}
