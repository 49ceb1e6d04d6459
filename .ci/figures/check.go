package main

// A failure is what check panics with. The many steps of a measure can all fail, and
// then there is only one thing to do: to give up the measure, and say why in its cell.
type failure struct{ error }

// check gives up what try has called if there is an error.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns a value unless there is an error.
func must[T any](value T, err error) T {
	check(err)
	return value
}

// try calls a function, and returns the error with which check gave it up.
func try(do func()) (err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			failed, ok := trouble.(failure)
			if !ok {
				panic(trouble)
			}
			err = failed.error
		}
	}()
	do()
	return nil
}
