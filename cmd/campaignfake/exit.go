package main

import "fmt"

// exitStatus is the status of a process that has already printed what is wrong.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error in the command line or in a variable: the status is 2.
type usageError struct{ error }
