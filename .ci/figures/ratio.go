package main

import (
	"math/rand/v2"
	"slices"
)

// median is what figures are stated by: of twenty runs, a few are disturbed by what
// else the machine does.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// ratios divides pair by pair, so that both sides of a ratio were measured at about
// the same time.
func ratios(over, under []float64) []float64 {
	result := make([]float64, len(over))
	for i := range over {
		result[i] = over[i] / under[i]
	}
	return result
}

// spread returns the range in which the median ratio of a commit to itself lies 99
// times in 100. It draws as many ratios as there are, with repetition, turns each
// upside down or not by chance, since neither of two runs of one commit is the
// first, and takes the median; and all of that two thousand times.
func spread(toItself []float64) (low, high float64) {
	const draws = 2000
	random := rand.New(rand.NewPCG(1, 2))
	medians := make([]float64, draws)
	drawn := make([]float64, len(toItself))
	for i := range medians {
		for j := range drawn {
			drawn[j] = toItself[random.IntN(len(toItself))]
			if random.IntN(2) == 0 {
				drawn[j] = 1 / drawn[j]
			}
		}
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	return medians[draws/200], medians[draws-1-draws/200]
}

// verdict says whether a ratio of so many pairs lies outside of a spread. A few pairs
// do not show how large the noise is. A difference of less than a thousandth does
// not count, since the table does not show it.
func verdict(pairs int, ratio, low, high float64) string {
	const enough, visible = 10, 0.0005
	switch {
	case pairs < enough:
		return "too few pairs"
	case ratio < low && ratio < 1-visible:
		return "better"
	case ratio > high && ratio > 1+visible:
		return "worse"
	}
	return "same"
}
