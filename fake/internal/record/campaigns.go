package record

import (
	"fmt"
	"io"
	"maps"
	"slices"
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

// firstCampaigns returns the campaigns of a list, or the first ones if it has more than a user may
// have, or than a file can hold. If no fixture can carry one of them, it returns all that a user
// may have: the user is refused later for that reason.
func firstCampaigns(list []map[string]any, most int) []fixtures.Campaign {
	campaigns := make([]fixtures.Campaign, min(len(list), most))
	for i := range campaigns {
		campaigns[i] = campaignOf(list[i])
	}
	user := fixtures.User{Campaigns: campaigns}
	if check(user) != nil {
		return campaigns
	}
	for !fits(user) {
		fewer := len(user.Campaigns) * 7 / 8
		user.Campaigns = user.Campaigns[:fewer]
	}
	return user.Campaigns
}

// setCampaigns gives the user the campaigns of a list that has so many, or the first ones.
func (r *Recording) setCampaigns(campaigns []fixtures.Campaign, listed int) {
	r.User.Campaigns = campaigns
	r.User.Description = "Recorded: " + counted(listed)
	if len(campaigns) < listed {
		part := fmt.Sprintf("the first %d of %d campaigns", len(campaigns), listed)
		r.User.Description = "Recorded: " + part
		r.note("these are %s: a user may have no more", part)
	}
}

// fits reports whether a file that has a user can be loaded.
func fits(user fixtures.User) bool {
	service := fixtures.Service{}
	if service.Size("recorded", user) > fixtures.MaxSize {
		return false
	}
	set := fixtures.Set{Users: map[string]fixtures.User{"recorded": user}}
	return set.WriteYAML(io.Discard) == nil
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
