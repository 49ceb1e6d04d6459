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
// campaignfake is better or worse only where it differs more than that.
//
// It exits with status 1 if the working tree could not make a figure. Nothing else
// makes it fail: there are no limits on what a figure may be. It needs Linux, whose
// /proc it reads, and Chromium for the first paint of the page.
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
	err := run(ctx)
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

func readOptions() (o options, err error) {
	only := flag.String("only", "", "measure only the figures whose names match this `REGEXP`")
	flag.StringVar(&o.against, "against", "", "compare the working tree with this `COMMIT`")
	flag.IntVar(&o.pairs, "pairs", 20, "how often to measure each figure")
	flag.BoolVar(&o.list, "list", false, "list the figures, and measure nothing")
	flag.StringVar(&o.write, "write", "", "write the table into this Markdown `FILE`, between its markers")
	flag.Parse()
	o.only, err = regexp.Compile(*only)
	switch {
	case err != nil:
		return o, fmt.Errorf("-only: %w", err)
	case flag.NArg() > 0:
		return o, fmt.Errorf("%q is not a flag", flag.Arg(0))
	case o.pairs < 1:
		return o, fmt.Errorf("-pairs %d: there has to be one pair at least", o.pairs)
	case o.against != "" && o.write != "":
		return o, errors.New("-write is for the table of the working tree alone, without -against")
	}
	return o, nil
}

func run(ctx context.Context) error {
	o, err := readOptions()
	if err != nil {
		return err
	}
	if o.write != "" {
		if _, err := replaceTable(o.write, ""); err != nil { // before an hour has gone by
			return err
		}
	}
	chosen := choose(o.only)
	if len(chosen) == 0 {
		return fmt.Errorf("-only %q matches no figure; -list lists them", o.only)
	}
	if o.list {
		for _, m := range chosen {
			for _, f := range m.figures {
				fmt.Printf("%s (beside %s)\n", f.name, f.reference)
			}
		}
		return nil
	}
	trees, remove, err := openTrees(o.against)
	if err != nil {
		return err
	}
	defer remove()
	defer closeBrowser()

	var rows []row
	for _, m := range chosen {
		fmt.Fprintf(os.Stderr, "%s …\n", m.figures[0].name)
		rows = append(rows, m.take(ctx, o.pairs, trees)...)
		if ctx.Err() != nil {
			fmt.Print(tableOf(rows, trees)) // what is measured by now took its time
			return errors.New("interrupted")
		}
	}
	table := tableOf(rows, trees)
	fmt.Print(table)
	if o.write != "" {
		text, err := replaceTable(o.write, table)
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.write, text, 0o644); err != nil {
			return err
		}
	}
	return missing(rows)
}

// choose returns the measurements of which a figure has a name that matches, with
// those figures alone.
func choose(only *regexp.Regexp) []measurement {
	var chosen []measurement
	for _, m := range measurements() {
		var figures []figure
		for i, f := range m.figures {
			f.index = i
			if only.MatchString(f.name) {
				figures = append(figures, f)
			}
		}
		if m.figures = figures; len(figures) > 0 {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
