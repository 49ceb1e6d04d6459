package main

import "fmt"

// A table gathers the figures that the README shows, in Markdown.
type table struct{ rows []string }

// row adds a figure of this server beside that of the bare one.
func (t *table) row(what, unit string, bare, own float64) {
	t.rows = append(t.rows, fmt.Sprintf("| %s | %.1f %s | %.1f %s | %.2f |", what, bare, unit, own, unit, own/bare))
}

// print prints the table.
func (t *table) print() {
	fmt.Println("\n| | bare `net/http` | campaignfake | times |\n|---|---|---|---|")
	for _, row := range t.rows {
		fmt.Println(row)
	}
}
