// Package record turns an answer of the real service into a user, who gets the same JSON from the
// fake.
//
//	record       makes the user from the bytes of an answer
//	campaigns    takes the campaigns from an answer that has the documented shape
//	source       decodes the answer, and removes the token
//	reply        makes any other answer the body of a reply
package record

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/secret"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A Recording is a user who gets a recorded answer, with notes about the recording.
type Recording struct {
	User  fixtures.User
	Notes []string // each is a sentence
}

// Of returns a Recording of an answer: a user who gets the same answer from the fake. Of fails if
// no fixture can hold the answer. An answer that was read from a file has neither a status nor
// headers. The argument token is "" if the token is not known.
func Of(answer ask.Answer, token string) (*Recording, error) {
	answer.Body = bytes.TrimPrefix(answer.Body, []byte("\ufeff"))
	err := checkBody(answer.Body, answer.Header)
	if err != nil {
		return nil, err
	}
	s := newSource(answer, secret.New(token))
	list, otherShape := ask.Campaigns(s.value)
	campaigns := campaignsOf(list)
	switch {
	case !s.isJSON:
		return s.recordBody("an answer that is not JSON", "it is not JSON")
	case otherShape != "":
		return s.recordBody("an answer of another shape",
			"it has another shape than a list of campaigns: "+text.CutToWidth(otherShape, 200))
	case fixtures.Service{}.CheckUser("recorded", fixtures.User{Campaigns: campaigns}) != nil:
		return s.recordBody("a list of campaigns, as a body",
			"no fixture can have all of its campaigns")
	}
	return s.recordList(campaigns, len(list))
}

// recordList returns a Recording whose user has the given campaigns. The argument `listed` is the
// number of campaigns in the answer. It may be larger than the number of given campaigns, since a
// user in a file has at most fixtures.MaxCount.
func (s source) recordList(campaigns []fixtures.Campaign, listed int) (*Recording, error) {
	r := new(Recording)
	if s.hadToken {
		r.noteToken()
	}
	if ask.HasNull(s.value) {
		r.note("campaigns is null in the answer, and [] in that of the fake")
	}
	part := fmt.Sprintf("%d campaigns", listed)
	switch {
	case len(campaigns) < listed:
		part = fmt.Sprintf("the first %d of %s", len(campaigns), part)
		r.note("these are %s: a user in a file can have no more", part)
	case listed == 1:
		part = "1 campaign"
	}
	r.User = fixtures.User{
		Description: "Recorded: " + part,
		Campaigns:   campaigns,
	}
	if check(r.User) != nil {
		return nil, fmt.Errorf("one file of fixtures cannot hold %s of this size; "+
			"record an answer that has fewer", part)
	}
	return r, nil
}

// recordBody returns a Recording with a user who gets the answer as the body of a reply. The
// argument reason says why the user does not get a list of campaigns. A note of the Recording
// repeats this reason.
func (s source) recordBody(description, reason string) (*Recording, error) {
	r := new(Recording)
	if s.hadToken {
		r.noteToken()
	}
	r.note("the answer is recorded as the body of a reply: %s", reason)
	r.User = fixtures.User{
		Description: "Recorded: " + description,
		Replies:     []fixtures.Reply{s.jsonReply()},
	}
	if s.isTree() && check(r.User) == nil {
		return r, nil
	}

	// The fake sends a text as it is. The text may be JSON that no fixture can hold, because it is
	// nested too deep, or has a key twice.
	r.User.Replies[0] = s.textReply()
	err := check(r.User)
	if err != nil {
		return nil, fmt.Errorf("no fixture can carry the answer: %w", err)
	}
	return r, nil
}

// noteToken adds a note that TOKEN stands in place of the token in the recording.
func (r *Recording) noteToken() {
	r.note("the answer repeats the token, for which %s stands", secret.Placeholder)
}

func (r *Recording) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// check returns an error if a file with the user cannot be written or loaded, for example because a
// body has a key twice.
func check(user fixtures.User) error {
	var file strings.Builder
	set := fixtures.Set{Users: map[string]fixtures.User{"recorded": user}}
	err := set.WriteYAML(&file)
	if err != nil {
		return err
	}
	_, err = fixtures.LoadText("recorded.yaml", file.String())
	return err
}

// checkBody returns an error if the body of an answer is empty, compressed or not UTF-8. It also
// returns an error if the headers of the answer stand before the body, as curl -i saves them.
func checkBody(body []byte, header http.Header) error {
	const gzipMagic = "\x1f\x8b"
	encoding := header.Get("Content-Encoding")
	switch {
	case len(body) == 0:
		return errors.New("the answer has no body; there is nothing to record")
	case encoding != "" && encoding != "identity":
		return fmt.Errorf("the answer is compressed with %q, though that was not asked for",
			encoding)
	case bytes.HasPrefix(body, []byte(gzipMagic)):
		return errors.New("the answer is compressed; save it without, " +
			"as curl --compressed does")
	case bytes.HasPrefix(body, []byte("HTTP/")):
		return errors.New("the answer has its headers before it; save the body alone, " +
			"as curl does without -i")
	case !utf8.Valid(body):
		return errors.New("the answer is not UTF-8, and a fixture can have nothing else; " +
			"convert it with iconv -f utf-16 -t utf-8 if PowerShell has saved it, " +
			"else with iconv -f latin1 -t utf-8")
	}
	return nil
}
