package main

import (
	"fmt"
	"strconv"
)

// testServer measures functions of the program in _program, each called so many times.
func testServer(own, reference string, times int) measurement {
	side := func(of string) measure {
		return func(t *tree) []float64 {
			run := t.run(times, of)
			return []float64{run.time / 1e3, run.cpu / 1e3, run.allocations}
		}
	}
	return measurement{
		figures: []figure{
			{name: own + ": time", reference: reference, unit: "µs"},
			{name: own + ": CPU", reference: reference, unit: "µs"},
			{name: own + ": allocations", reference: reference, more: true},
		},
		own: side(own), reference: side(reference),
	}
}

// A cost is what the program in _program prints of a function: the nanoseconds of each
// call, those of CPU, and allocations; and the most memory of all, in KiB.
type cost struct{ time, cpu, allocations, peak float64 }

func (t *tree) run(times int, of string, args ...string) (c cost) {
	out := must(output("", nil, t.program(), append([]string{strconv.Itoa(times), of}, args...)...))
	must(fmt.Sscan(out, &c.time, &c.cpu, &c.allocations, &c.peak))
	return c
}
