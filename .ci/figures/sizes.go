package main

import "os"

// testBinarySize measures the binary that go test makes of a package with one test.
func testBinarySize() measurement {
	side := func(name string) measure {
		return func(t *tree) ([]float64, error) { return megabytes(t.testBinary(name)) }
	}
	return measurement{
		figures: []figure{{name: "size of a test binary with package fake", reference: "with net/http/httptest", unit: "MB"}},
		own:     side("own"), reference: side("reference"),
	}
}

// binarySize measures campaignfake itself.
func binarySize(b build) measurement {
	return measurement{
		figures:   []figure{{name: "size of the binary, " + b.name, reference: bare, unit: "MB"}},
		own:       func(t *tree) ([]float64, error) { return megabytes(t.command(b)) },
		reference: func(t *tree) ([]float64, error) { return megabytes(t.helper("bare", b)) },
	}
}

func megabytes(path string, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return []float64{float64(info.Size()) / 1e6}, nil
}
