package main

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
)

// tableOf returns the table in Markdown, and says how it was made.
func tableOf(rows []row, trees trees, pairs int) string {
	var b strings.Builder
	if trees.older == nil {
		b.WriteString("| figure | reference | campaignfake | compared |\n|---|---|--:|--:|\n")
	} else {
		name := trees.older.name
		fmt.Fprintf(&b, "| figure | reference | %s | | working tree | | working tree / %s | %s / itself | |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n", name, name, name)
	}
	for _, r := range rows {
		cells := []string{r.name, r.figure.reference + ": " + r.value(r.reference)}
		if trees.older != nil {
			cells = append(cells, r.value(r.older), r.compared(r.older))
		}
		cells = append(cells, r.value(r.own), r.compared(r.own))
		if trees.older != nil {
			cells = append(cells, r.versions()...)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	fmt.Fprintf(&b, "\n%s, %s/%s, %d CPUs; pairs of runs: %d.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), pairs)
	return b.String()
}

// value is the median of what was measured, or why it was not.
func (r row) value(s *series) string {
	if s.err != nil {
		return "could not be made: " + inOneCell(s.err.Error())
	}
	return strings.TrimSpace(number(median(s.of(r.figure))) + " " + r.unit)
}

// compared is a tree of campaignfake beside the reference.
func (r row) compared(s *series) string {
	if s.err != nil || r.reference.err != nil {
		return "–"
	}
	own, reference := s.of(r.figure), r.reference.of(r.figure)
	if r.difference {
		return fmt.Sprintf("%+.1f %s", median(own)-median(reference), r.unit)
	}
	return fmt.Sprintf("%.2f times", median(ratios(own, reference)))
}

// versions is the ratio of the working tree to the older commit, the spread of that
// commit, and what follows from them.
func (r row) versions() []string {
	if r.own.err != nil || r.older.err != nil || r.again.err != nil {
		return []string{"–", "–", "–"}
	}
	older := r.older.of(r.figure)
	ratio := median(ratios(r.own.of(r.figure), older))
	low, high := spread(ratios(r.again.of(r.figure), older))
	return []string{fmt.Sprintf("%.3f", ratio), fmt.Sprintf("%.3f to %.3f", low, high), verdict(len(older), ratio, low, high)}
}

// number shows three digits or so.
func number(v float64) string {
	switch {
	case v >= 100 || v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// thousands writes a count with commas, as names of figures do.
func thousands(count int) string {
	if count < 1000 {
		return strconv.Itoa(count)
	}
	return fmt.Sprintf("%s,%03d", thousands(count/1000), count%1000)
}

// inOneCell makes a text fit into a cell of a table.
func inOneCell(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	if letters := []rune(text); len(letters) > 200 {
		text = string(letters[:200]) + "…"
	}
	return text
}
