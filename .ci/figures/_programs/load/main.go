// Load reads the file that its argument names as fixtures, or, as the reference,
// decodes it into the nodes of the YAML library.
package main

import (
	"bytes"
	"flag"
	"io"
	"os"

	"example.com/campaignfake/fixtures"
	"gopkg.in/yaml.v3"
)

func main() {
	measure(map[string]func(){
		"own": func() {
			_, err := fixtures.Load(flag.Arg(0))
			fail(err)
		},
		"reference": func() {
			text, err := os.ReadFile(flag.Arg(0))
			fail(err)
			decoder := yaml.NewDecoder(bytes.NewReader(text))
			for {
				var node yaml.Node
				if err := decoder.Decode(&node); err == io.EOF {
					return
				} else {
					fail(err)
				}
			}
		},
	})
}
