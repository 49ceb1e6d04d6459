package main

import "os"

// testBinarySize measures the binary that go test makes of a package with one test.
func testBinarySize() measurement {
	return measurement{
		figures:   []figure{{name: "size of a test binary with package fake", reference: "with net/http/httptest", unit: "MB", difference: true}},
		own:       func(t *tree) []float64 { return megabytes(t.testBinary("own_test.go")) },
		reference: func(t *tree) []float64 { return megabytes(t.testBinary("reference_test.go")) },
	}
}

// binarySize measures campaignfake itself.
func binarySize() measurement {
	return measurement{
		figures:   []figure{{name: "size of the binary in the image", reference: bare, unit: "MB"}},
		own:       func(t *tree) []float64 { return megabytes(t.command()) },
		reference: func(t *tree) []float64 { return megabytes(t.reference("bare")) },
	}
}

func megabytes(path string) []float64 {
	return []float64{float64(must(os.Stat(path)).Size()) / 1e6}
}
