package record

import (
	"slices"

	"example.com/campaignfake/fixtures"
)

// campaignsOf returns the campaigns for the JSON objects of a list. If the list has more than
// fixtures.MaxCount, it returns the first MaxCount.
func campaignsOf(list []map[string]any) []fixtures.Campaign {
	campaigns := make([]fixtures.Campaign, min(len(list), fixtures.MaxCount))
	for i := range campaigns {
		campaigns[i] = campaignOf(list[i])
	}
	return campaigns
}

// campaignOf returns the campaign for which the fake sends the given JSON object. A text in a
// documented field becomes a field of the campaign. All other values go to Extra. Null and "" in a
// documented field go to Extra, too: for a field of the campaign that is "", the fake would
// generate a value. The campaign omits the documented fields that the object does not have.
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
