package main

import (
	"os"
	"strconv"
)

const loaded = 200_000

// load measures how campaigns are read from a file of YAML, beside the bare library.
// All trees read the file that the working tree writes.
func load() measurement {
	side := func(of string) measure {
		return func(t *tree) ([]float64, error) {
			program, err := t.program("load")
			if err != nil {
				return nil, err
			}
			file, err := t.working.make("campaigns.yaml", t.working.writeCampaigns)
			if err != nil {
				return nil, err
			}
			result, err := runProgram(program, "-of", of, file)
			return []float64{result.cpu / 1e6, result.peak / 1024}, err
		}
	}
	name, reference := "load "+thousands(loaded)+" campaigns from YAML", "yaml.v3, decoded into nodes"
	return measurement{
		figures: []figure{{name: name + ": CPU", reference: reference, unit: "ms"}, {name: name + ": peak memory", reference: reference, unit: "MiB"}},
		own:     side("own"), reference: side("reference"),
	}
}

func (t *tree) writeCampaigns(path string) error {
	command, err := t.command(asImage)
	if err != nil {
		return err
	}
	text, err := output("", nil, command, "generate", "--token=token", "--count="+strconv.Itoa(loaded))
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text+"\n"), 0o600)
}
