// Figures measures what campaignfake costs, each figure beside a reference, and
// prints a table in Markdown. References and campaignfake take turns in one run,
// since machines differ and are noisy: what counts are the ratios. Less is better
// in every figure.
//
//	cd .ci/figures
//	go run .                       measures the working tree
//	go run . -against HEAD~1       compares the working tree with a commit
//	go run . -only 'CPU|memory'    measures the figures whose names match
//	go run . -write ../../cmd/campaignfake/README.md
//	                               writes the table between its markers
//	go run . -list                 lists the figures
//
// With -against, each commit is built with the flags of its own Dockerfile, and the
// older commit is measured twice per pair. What it differs from itself is noise:
// campaignfake is better or worse only where it differs more than that. There are
// figures that are measured only then, or if -only matches them: -list marks them.
//
// It exits with status 1 if the working tree could not make a figure. Nothing else
// makes it fail: there are no limits on what a figure may be. It needs Linux, whose
// /proc it reads, and for the first paint of the page Chromium, Node, and npm ci in
// .ci/page.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := try(func() { run(ctx, readOptions()) })
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	against string
	pairs   int
	only    *regexp.Regexp
	list    bool
	write   string
}

func readOptions() (o options) {
	only := flag.String("only", "", "measure only the figures whose names match this `REGEXP`")
	flag.StringVar(&o.against, "against", "", "compare the working tree with this `COMMIT`")
	flag.IntVar(&o.pairs, "pairs", 20, "how often to measure each figure")
	flag.BoolVar(&o.list, "list", false, "list the figures, and measure nothing")
	flag.StringVar(&o.write, "write", "", "write the table into this Markdown `FILE`, between its markers")
	flag.Parse()
	if *only != "" {
		o.only = must(regexp.Compile(*only))
	}
	switch {
	case flag.NArg() > 0:
		check(fmt.Errorf("%q is not a flag", flag.Arg(0)))
	case o.pairs < 1:
		check(fmt.Errorf("-pairs %d: there has to be one pair at least", o.pairs))
	case o.against != "" && o.write != "":
		check(errors.New("-write is for the table of the working tree alone, without -against"))
	}
	return o
}

func run(ctx context.Context, o options) {
	if o.list {
		listFigures(o)
		return
	}
	if o.write != "" {
		replaceTable(o.write, "") // fails before an hour has gone by
	}
	chosen := o.choose()
	if len(chosen) == 0 {
		check(fmt.Errorf("-only %q matches no figure; -list lists them", o.only))
	}
	folder := must(os.MkdirTemp("", "figures-*"))
	defer os.RemoveAll(folder)
	trees := openTrees(folder, o.against)
	defer trees.remove()
	var rows []row
	for _, m := range chosen {
		fmt.Fprintf(os.Stderr, "%s …\n", m.figures[0].name)
		rows = append(rows, m.take(ctx, o.pairs, trees)...)
		if ctx.Err() != nil {
			fmt.Print(tableOf(rows, trees, o.pairs)) // what is measured by now took its time
			check(errors.New("interrupted"))
		}
	}
	table := tableOf(rows, trees, o.pairs)
	fmt.Print(table)
	check(missing(rows))
	if o.write != "" {
		check(os.WriteFile(o.write, replaceTable(o.write, table), 0o644))
	}
}

func listFigures(o options) {
	o.against = "any"
	for _, m := range o.choose() {
		for _, f := range m.figures {
			when := ""
			if f.more {
				when = "; with -against or -only"
			}
			fmt.Printf("%s (beside %s%s)\n", f.name, f.reference, when)
		}
	}
}

// choose returns the measurements that are asked for, with the figures of theirs that
// are.
func (o options) choose() []measurement {
	var chosen []measurement
	for _, m := range measurements() {
		var figures []figure
		for i, f := range m.figures {
			f.index = i
			if o.only == nil && (!f.more || o.against != "") || o.only != nil && o.only.MatchString(f.name) {
				figures = append(figures, f)
			}
		}
		if m.figures = figures; len(figures) > 0 {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
