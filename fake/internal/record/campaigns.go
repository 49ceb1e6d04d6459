package record

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// campaignList returns the objects under campaigns, if an answer has the documented shape: an
// object with that key alone, and under it a list of objects.
func campaignList(answer any) (list []map[string]any, isList bool) {
	object, _ := answer.(map[string]any)
	elements, isList := object["campaigns"].([]any)
	if !isList || len(object) != 1 {
		return nil, false
	}
	list = make([]map[string]any, len(elements))
	for i, element := range elements {
		campaign, isObject := element.(map[string]any)
		if !isObject {
			return nil, false
		}
		list[i] = campaign
	}
	return list, true
}

// otherShape says in what an answer of JSON differs from a list of campaigns.
func (s source) otherShape() string {
	object, isObject := s.value.(map[string]any)
	campaigns, hasCampaigns := object["campaigns"]
	elements, isList := campaigns.([]any)
	switch {
	case !isObject:
		return "it is not an object"
	case !hasCampaigns:
		return "it has no key campaigns"
	case !isList:
		return "its campaigns are not a list"
	case len(object) > 1:
		return "beside campaigns it has " + otherKeys(object)
	}
	isOther := func(element any) bool {
		_, isObject := element.(map[string]any)
		return !isObject
	}
	return fmt.Sprintf("campaigns[%d] is not an object", slices.IndexFunc(elements, isOther))
}

// otherKeys lists the keys of an answer beside campaigns.
func otherKeys(object map[string]any) string {
	var others []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key != "campaigns" {
			others = append(others, key)
		}
	}
	return text.CutToWidth(strings.Join(others, ", "), 60)
}

// campaignsOf returns the campaigns that are sent as the objects of a list, or the first ones if it
// has more than a user may have.
func campaignsOf(list []map[string]any, most int) []fixtures.Campaign {
	campaigns := make([]fixtures.Campaign, min(len(list), most))
	for i := range campaigns {
		campaigns[i] = campaignOf(list[i])
	}
	return campaigns
}

// setCampaigns gives the user the campaigns of a list that has so many, or as many of the first
// ones as a file can hold. If some are left out, a note names the limit that they exceed.
func (r *Recording) setCampaigns(campaigns []fixtures.Campaign, listed int) {
	limit := exceededLimit(userWithFirst(campaigns, listed))
	if limit != "" {
		tooMany := sort.Search(len(campaigns), func(count int) bool {
			return exceededLimit(userWithFirst(campaigns[:count], listed)) != ""
		})
		limit = exceededLimit(userWithFirst(campaigns[:tooMany], listed))
		campaigns = campaigns[:tooMany-1] // a user without campaigns exceeds no limit
	} else if len(campaigns) < listed {
		limit = "a user may have no more"
	}
	r.User = userWithFirst(campaigns, listed)
	if limit != "" {
		r.note("these are %s: %s", partOf(campaigns, listed), limit)
	}
}

// userWithFirst returns a user who has the first campaigns of a list that has so many.
func userWithFirst(campaigns []fixtures.Campaign, listed int) fixtures.User {
	return fixtures.User{
		Description: "Recorded: " + partOf(campaigns, listed),
		Campaigns:   campaigns,
	}
}

// partOf says which campaigns of a list the first ones are.
func partOf(campaigns []fixtures.Campaign, listed int) string {
	if len(campaigns) == listed {
		return counted(listed)
	}
	return fmt.Sprintf("the first %d of %d campaigns", len(campaigns), listed)
}

// longestToken stands for the token of the file, which is not known here.
var longestToken = strings.Repeat("t", 8192)

// exceededLimit returns the limit because of which no file that has a user can be loaded, and "" if
// one can be. The user has to be without mistakes.
func exceededLimit(user fixtures.User) string {
	size := fixtures.Service{}.Size(longestToken, user)
	if size > fixtures.MaxSize {
		return fmt.Sprintf("a set may have no more than %d MiB in memory", fixtures.MaxSize>>20)
	}
	set := fixtures.Set{Users: map[string]fixtures.User{longestToken: user}}
	err := set.WriteYAML(io.Discard)
	if err != nil { // since the user has no mistakes, it can be nothing else
		return "a file may have no more than 200000 keys, values and commas"
	}
	return ""
}

func counted(campaigns int) string {
	if campaigns == 1 {
		return "1 campaign"
	}
	return fmt.Sprintf("%d campaigns", campaigns)
}

// campaignOf returns the campaign that is sent as an object. A documented field whose value is text
// is a field of it. All other values are in Extra. So are null and "", which mean something else in
// a field.
func campaignOf(object map[string]any) fixtures.Campaign {
	var campaign fixtures.Campaign
	fields := map[string]*string{
		"id":         &campaign.ID,
		"name":       &campaign.Name,
		"created_at": &campaign.CreatedAt,
		"updated_at": &campaign.UpdatedAt,
		"status":     &campaign.Status,
	}
	documented := fixtures.FieldNames()
	for _, name := range documented {
		_, isThere := object[name]
		if !isThere {
			campaign.Omit = append(campaign.Omit, name)
		}
	}
	for name, value := range object {
		text, _ := value.(string)
		isField := text != "" && slices.Contains(documented, name)
		if isField {
			*fields[name] = text
			continue
		}
		if campaign.Extra == nil {
			campaign.Extra = make(map[string]any)
		}
		campaign.Extra[name] = value
	}
	return campaign
}
