// Package record makes a user of an answer of the real service: one that gets the same JSON from
// the fake.
//
//	record       from the bytes of an answer to the user
//	campaigns    the campaigns of an answer that has the documented shape
//	source       an answer, decoded and without the token
//	reply        any other answer, as the body of a reply
//	token        the token of the service, which is never repeated
package record

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
)

// A Recording is the user of an answer, and what there is to know about it.
type Recording struct {
	User  fixtures.User
	Notes []string // a sentence each
}

// Of returns the user of an answer, with so many campaigns at most. It fails if no fixture can
// carry the answer. An answer that was saved has neither status nor headers, and may be that to an
// unknown token, which is "".
func Of(answer ask.ServiceAnswer, token string, most int) (*Recording, error) {
	body := bytes.TrimPrefix(answer.Body, []byte("\ufeff"))
	err := checkBody(body, answer.Header)
	if err != nil {
		return nil, err
	}
	recording := new(Recording)
	s := newSource(answer, body, token)
	if s.hadToken {
		recording.noteToken()
	}

	description := "Recorded: an answer of another shape"
	note := fmt.Sprintf("the answer has another shape than a list of campaigns: %s; "+
		"and so it is the body of a reply", s.otherShape())
	if !s.isJSON {
		description = "Recorded: an answer that is not JSON"
		note = "the answer is not JSON, and so it is the body of a reply, as text"
	}
	list, isList := campaignList(s.value)
	if s.isJSON && isList {
		campaigns := campaignsOf(list, most)
		if check(fixtures.User{Campaigns: campaigns}) == nil {
			recording.noteKeyTwice(s)
			recording.setCampaigns(campaigns, len(list))
			if len(recording.User.Campaigns) == 0 && len(list) > 0 {
				return nil, errors.New("the first campaign of the answer is too large for a " +
					"file of fixtures; record an answer in which it is smaller")
			}
			return recording, nil
		}
		description = "Recorded: a list of campaigns, as a body"
		note = "no fixture can have all of its campaigns, and so the answer is the body of a reply"
	}
	if s.typeHadToken && !s.hadToken {
		recording.noteToken()
	}
	recording.note("%s", note)
	recording.User = userWith(description, s.reply())
	if check(recording.User) == nil {
		recording.noteKeyTwice(s)
		return recording, nil
	}

	// A fixture cannot carry JSON that is too deep, or has a key twice. It can carry it as text.
	recording.User = userWith(description, s.textReply())
	err = check(recording.User)
	if err != nil {
		return nil, fmt.Errorf("no fixture can carry the answer: %w", err)
	}
	return recording, nil
}

// userWith returns a user who gets one reply always.
func userWith(description string, reply fixtures.Reply) fixtures.User {
	return fixtures.User{
		Description: description,
		Replies:     []fixtures.Reply{reply},
	}
}

// noteToken notes that the token was replaced in what is recorded.
func (r *Recording) noteToken() {
	r.note("the answer repeats the token, for which %s stands", placeholder)
}

// noteKeyTwice notes that values are lost, if JSON that is recorded as values has a key twice.
func (r *Recording) noteKeyTwice(s source) {
	if s.isJSON && s.repeatsKey() {
		r.note("the answer has a key twice in one object; the last value is recorded, " +
			"which most parsers take")
	}
}

func (r *Recording) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// check returns an error if a file of fixtures cannot have a user.
func check(user fixtures.User) error {
	return fixtures.Service{}.CheckUser("recorded", user)
}

// checkBody returns an error if the bytes of an answer are no text, or more than its body.
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
		return errors.New("the answer is not UTF-8, and a fixture can have nothing else")
	}
	return nil
}
