// Package observe finds out how a campaign listing service answers. It asks with a few
// requests that are safe on any service, and concludes settings from the answers: names
// of fields, types, patterns, statuses, but no values. The fake is asked in the same
// way, and what was concluded of both is compared.
//
//	ask.go       one request at a time: what is asked, and what is never done
//	questions.go the requests, in their order
//	listing.go   what the list of campaigns shows
//	fields.go    what the values of a field show
//	shapes.go    values without what they say
//	texts.go     what kind of text a value is
//	refusal.go   what the other answers show
//	traits.go    what is known of a service
//	compare.go   traits against traits
//	settings.go  traits as settings of the fake
//	secrets.go   what must not be written
package observe
