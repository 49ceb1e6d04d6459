package main

import (
	"fmt"
	"strconv"
	"strings"
)

const manyGenerated, fewGenerated = 100_000, 10_000

// generate measures the command campaignfake generate: its CPU for each campaign,
// and its memory for many of them beside that for few.
func generate(format string) measurement {
	return measurement{
		figures: []figure{
			{name: "generate, " + strings.ToUpper(format) + ": CPU per campaign", reference: "encoding/json of as many structs", unit: "µs"},
			{name: "generate, " + strings.ToUpper(format) + ": peak memory, " + thousands(manyGenerated) + " campaigns", reference: thousands(fewGenerated) + " campaigns", unit: "MiB"},
		},
		own: func(t *tree) ([]float64, error) { return t.generated(format, manyGenerated) },
		reference: func(t *tree) ([]float64, error) {
			encode, err := t.helper("encode", asImage)
			if err != nil {
				return nil, err
			}
			spent, _, err := t.peak(encode, strconv.Itoa(manyGenerated))
			if err != nil {
				return nil, err
			}
			few, err := t.generated(format, fewGenerated)
			if err != nil {
				return nil, err
			}
			return []float64{spent / manyGenerated, few[1]}, nil
		},
	}
}

// generated returns the microseconds for each campaign, and the most MiB in memory.
func (t *tree) generated(format string, count int) ([]float64, error) {
	command, err := t.command(asImage)
	if err != nil {
		return nil, err
	}
	spent, most, err := t.peak(command, "generate", "--token=token", "--format="+format, "--count="+strconv.Itoa(count))
	return []float64{spent / float64(count), most}, err
}

// peak runs a command, and returns its microseconds of CPU and its peak of memory in MiB.
func (t *tree) peak(command ...string) (microseconds, mebibytes float64, err error) {
	helper, err := t.helper("peak", asImage)
	if err != nil {
		return 0, 0, err
	}
	out, err := output("", nil, helper, command...)
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(out, &microseconds, &mebibytes)
	return microseconds / 1e3, mebibytes / 1024, err
}
