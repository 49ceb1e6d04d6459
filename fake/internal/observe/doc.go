// Package observe finds out how a campaign listing service answers. It asks with a few
// requests that are safe on any service, and describes the answers by trees: for each
// path which types, kinds and shares of null there are, but no values. The fake is asked
// in the same way, and the trees of both are compared path by path.
//
//	ask.go       one request at a time: what is asked, and what is never done
//	questions.go the requests, in their order
//	observe.go   all questions, and what their answers show together
//	json.go      one answer as a value
//	list.go      where the list of campaigns is
//	names.go     which keys are documented fields, or paging, by another name
//	tree.go      values as a tree
//	kinds.go     what texts and numbers look like
//	dates.go     in which layout dates are written
//	ids.go       what kind of ids there is a setting for
//	words.go     which texts of a service may be written
//	secrets.go   which keys and texts may not
//	refusal.go   what answers without campaigns show
//	cors.go      whose pages may read answers
//	compare.go   the fake against the service
//	rules.go     what differs at one path, and how much it matters
//	settings.go  what was seen, as settings of the fake
//	shape.go     trees as shapes
//	keep.go      what was written by hand, and agrees
package observe
