package ask

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
)

// byteOrderMark stands before the JSON of some services. Browsers ignore it.
var byteOrderMark = []byte("\ufeff")

// DecodeJSON returns the value of a body. Numbers become a json.Number, which keeps their digits.
// isJSON is false if the body is not exactly one value of JSON.
func DecodeJSON(body []byte) (value any, isJSON bool) {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, byteOrderMark)))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	if err != nil {
		return nil, false
	}
	_, err = decoder.Token()
	if err != io.EOF { // text follows the value
		return nil, false
	}
	return value, true
}

// Campaigns returns the campaigns in an answer of JSON. The documented shape is an object whose
// only key is campaigns, with a list of objects. If the answer has another shape, otherShape says
// how it differs; otherwise it is "". If the only difference is further keys, Campaigns also
// returns the campaigns. null counts as an empty list, because programs in Go often write an empty
// list as null.
func Campaigns(answer any) (campaigns []map[string]any, otherShape string) {
	object, isObject := answer.(map[string]any)
	if !isObject {
		return nil, "it is no object"
	}
	var others []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key != "campaigns" {
			others = append(others, key)
		}
	}
	value, hasCampaigns := object["campaigns"]
	if !hasCampaigns {
		return nil, "it has no campaigns, but " + strings.Join(others, ", ")
	}
	list, isList := value.([]any)
	if !isList && value != nil {
		return nil, "its campaigns are no list"
	}
	for _, element := range list {
		campaign, isObject := element.(map[string]any)
		if !isObject {
			return nil, "not all of its campaigns are objects"
		}
		campaigns = append(campaigns, campaign)
	}
	if len(others) > 0 {
		otherShape = "beside campaigns it has " + strings.Join(others, ", ")
	}
	return campaigns, otherShape
}

// HasNull reports whether null stands for the list of campaigns in an answer of JSON.
func HasNull(answer any) bool {
	object, _ := answer.(map[string]any)
	campaigns, hasCampaigns := object["campaigns"]
	return hasCampaigns && campaigns == nil
}
