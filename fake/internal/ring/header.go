package ring

import (
	"cmp"
	"net/http"
	"slices"

	"example.com/campaignfake/fixtures/text"
)

// maxHeader is how many bytes of the headers of a request the journal holds, and also how many of
// the headers of its answer.
const maxHeader = 4 << 10

// A field is a header with its values.
type field struct {
	name   string
	values []string
}

// fieldsOf copies a header. The copy shares the lists of values with the header. That is safe,
// since Set, Add and Del of http.Header do not change the elements of a list. fieldsOf leaves out a
// name without values: such a name only keeps net/http from adding this header. fieldsOf cuts off a
// header that is too long.
func fieldsOf(header http.Header) []field {
	fields := make([]field, 0, len(header))
	size := 0
	for name, values := range header {
		if len(values) == 0 {
			continue
		}
		fields = append(fields, field{name: name, values: values})
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	if size > maxHeader {
		return startOf(fields)
	}
	return fields
}

// startOf sorts the fields of a header by name, and returns the first maxHeader bytes.
func startOf(fields []field) (shortened []field) {
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.name, b.name) })
	room := maxHeader
	for _, f := range fields {
		var values []string
		for _, value := range f.values {
			room -= len(f.name)
			if room <= 0 {
				break
			}
			value = text.CutToBytes(value, room)
			room -= len(value)
			values = append(values, value)
		}
		if values == nil {
			return shortened
		}
		shortened = append(shortened, field{name: f.name, values: values})
	}
	return shortened
}

// headerOf returns a header with these fields, and nil for nil.
func headerOf(fields []field) http.Header {
	if fields == nil {
		return nil
	}
	header := make(http.Header, len(fields))
	for _, f := range fields {
		header[f.name] = f.values
	}
	return header
}
