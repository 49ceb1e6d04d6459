// Encode is what campaignfake generate is compared with: it writes N campaigns
// with encoding/json, one after the other, to standard output.
//
//	encode N
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

type campaign struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "encode:", err)
		os.Exit(1)
	}
}

func write(argument string) error {
	count, err := strconv.Atoi(argument)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	created := time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC)
	for i := range count {
		created = created.Add(time.Second)
		if err := encoder.Encode(campaign{"cmp_" + strconv.Itoa(i), "Campaign " + strconv.Itoa(i), "active", created, created}); err != nil {
			return err
		}
	}
	return out.Flush()
}
