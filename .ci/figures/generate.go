package main

import (
	"fmt"
	"strconv"
	"strings"
)

const many, few = 100_000, 10_000

// generate measures the command campaignfake generate: its CPU for each campaign,
// and its memory for many of them beside that for few.
func generate(format string) measurement {
	name := "generate " + thousands(many) + " campaigns, " + strings.ToUpper(format)
	return measurement{
		figures: []figure{
			{name: name + ": CPU for each", reference: "encoding/json of as many structs", unit: "µs"},
			{name: name + ": peak memory", reference: "for " + thousands(few), unit: "MiB"},
		},
		own: func(t *tree) []float64 { return t.generated(format, many) },
		reference: func(t *tree) []float64 {
			spent, _ := t.peak(t.reference("encode"), strconv.Itoa(many))
			return []float64{spent / many, t.generated(format, few)[1]}
		},
	}
}

// generated returns the microseconds for each campaign, and the most MiB in memory.
func (t *tree) generated(format string, count int) []float64 {
	spent, most := t.peak(t.command(), "generate", "--token=token", "--format="+format, "--count="+strconv.Itoa(count))
	return []float64{spent / float64(count), most}
}

// peak runs a command, and returns its microseconds of CPU and its peak of memory in MiB.
func (t *tree) peak(command ...string) (microseconds, mebibytes float64) {
	out := must(output("", nil, t.reference("peak"), command...))
	must(fmt.Sscan(out, &microseconds, &mebibytes))
	return microseconds, mebibytes / 1024
}
