package main

import (
	"fmt"
	"strconv"
)

// testServer measures a program of _programs, which runs something so many times.
func testServer(name, program, reference string, times int) measurement {
	side := func(of string) measure {
		return func(t *tree) ([]float64, error) {
			path, err := t.program(program)
			if err != nil {
				return nil, err
			}
			result, err := runProgram(path, "-n", strconv.Itoa(times), "-of", of)
			return []float64{result.time / 1e3, result.cpu / 1e3, result.allocations}, err
		}
	}
	return measurement{
		figures: []figure{
			{name: name, reference: reference, unit: "µs"},
			{name: name + ": CPU", reference: reference, unit: "µs"},
			{name: name + ": allocations", reference: reference, unit: ""},
		},
		own: side("own"), reference: side("reference"),
	}
}

// A result is what a program of _programs prints of each run: the nanoseconds that
// went by, those of CPU, and allocations; and the most memory of all, in KiB.
type result struct{ time, cpu, allocations, peak float64 }

func runProgram(path string, args ...string) (r result, err error) {
	out, err := output("", nil, path, args...)
	if err != nil {
		return r, err
	}
	_, err = fmt.Sscan(out, &r.time, &r.cpu, &r.allocations, &r.peak)
	return r, err
}
