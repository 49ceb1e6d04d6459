package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A figure is a row of the table.
type figure struct {
	name       string
	reference  string // what it is compared with
	unit       string
	difference bool // what counts is how much more it is than the reference, and no ratio
	more       bool // for comparing commits: too special for the table of the README
	index      int  // of its value among those of the measurement
}

// A measurement makes one figure or several, since one run of a program often tells
// more than one thing.
type measurement struct {
	figures   []figure
	own       measure // of campaignfake, built from a tree
	reference measure // of what it is compared with, built from the working tree
}

// A measure measures once, and returns a value for each figure of its measurement.
// What it must have goes through check.
type measure func(t *tree) []float64

// A series is what one side of a comparison has measured.
type series struct {
	measure measure
	tree    *tree
	values  [][]float64 // by pair, then by figure
	err     error       // why it cannot be measured
}

// A row has what was measured for one figure.
type row struct {
	figure
	reference, own *series
	older, again   *series // the commit of -against, measured twice; nil without it
}

// take measures everything once per pair, in an order that is drawn for each pair.
// Programs are built when they are needed for the first time, and before a clock
// runs.
func (m measurement) take(ctx context.Context, pairs int, trees trees) []row {
	r := row{
		reference: &series{measure: m.reference, tree: trees.working},
		own:       &series{measure: m.own, tree: trees.working},
	}
	all := []*series{r.reference, r.own}
	if trees.older != nil {
		r.older = &series{measure: m.own, tree: trees.older}
		r.again = &series{measure: m.own, tree: trees.older}
		all = append(all, r.older, r.again)
	}
	order := rand.New(rand.NewPCG(1, 2))
	for range pairs {
		for _, i := range order.Perm(len(all)) {
			if ctx.Err() != nil {
				return nil
			}
			all[i].add()
		}
	}
	var rows []row
	for _, f := range m.figures {
		r.figure = f
		rows = append(rows, r)
	}
	return rows
}

// add measures once more. What cannot be measured is not tried again.
func (s *series) add() {
	if s.err != nil {
		return
	}
	s.err = try(func() {
		values := s.measure(s.tree)
		if slices.Min(values) <= 0 {
			check(fmt.Errorf("of the values %v one is not positive, and has no ratio", values))
		}
		s.values = append(s.values, values)
	})
}

// of returns the values of one figure, by pair.
func (s *series) of(f figure) []float64 {
	var values []float64
	for _, all := range s.values {
		values = append(values, all[f.index])
	}
	return values
}

// missing returns an error if the working tree could not make a figure.
func missing(rows []row) error {
	count := 0
	for _, r := range rows {
		if r.own.err != nil || r.reference.err != nil {
			count++
		}
	}
	if count > 0 {
		return fmt.Errorf("%d of %d figures could not be made", count, len(rows))
	}
	return nil
}
