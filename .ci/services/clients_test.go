package services

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Clients in Go of five families. A pointer may be null, a field with omitempty may be
// missing, and a text is like the pattern of its tag.
type (
	railsPage struct {
		Campaigns []struct {
			ID        int      `json:"id"`
			Name      string   `json:"name"`
			Status    string   `json:"status" like:"draft|active|paused|completed|archived"`
			Subject   *string  `json:"subject"`
			Budget    string   `json:"budget" like:"[0-9]+\\.[0-9]{2}"`
			AccountID int      `json:"account_id"`
			Tags      []string `json:"tags"`
			Owner     struct {
				ID        int     `json:"id"`
				Email     string  `json:"email" like:".+@.+"`
				AvatarURL *string `json:"avatar_url" like:"https?://.+"`
			} `json:"owner"`
			ArchivedAt *string `json:"archived_at" like:".{19}\\.[0-9]{3}Z"`
			CreatedAt  string  `json:"created_at" like:".{19}\\.[0-9]{3}Z"`
			UpdatedAt  string  `json:"updated_at" like:".{19}\\.[0-9]{3}Z"`
		} `json:"campaigns"`
		Meta struct {
			CurrentPage int  `json:"current_page"`
			NextPage    *int `json:"next_page"`
			PrevPage    *int `json:"prev_page"`
			TotalPages  int  `json:"total_pages"`
			TotalCount  int  `json:"total_count"`
		} `json:"meta"`
	}
	railsError struct {
		Status int    `json:"status"`
		Error  string `json:"error" like:"Unauthorized"`
	}

	salesforcePage struct {
		TotalSize int  `json:"totalSize"`
		Done      bool `json:"done"`
		Records   []struct {
			Attributes struct {
				Type string `json:"type"`
				URL  string `json:"url"`
			} `json:"attributes"`
			ID               string   `json:"Id" like:"[0-9A-Za-z]{18}"`
			Name             string   `json:"Name"`
			Status           string   `json:"Status" like:"Planned|In Progress|Completed|Aborted"`
			Type             *string  `json:"Type"`
			BudgetedCost     *float64 `json:"BudgetedCost"`
			NumberOfLeads    int      `json:"NumberOfLeads"`
			IsActive         bool     `json:"IsActive"`
			StartDate        *string  `json:"StartDate" like:"[0-9]{4}-[0-9]{2}-[0-9]{2}"`
			CreatedDate      string   `json:"CreatedDate" like:".{19}\\.[0-9]{3}\\+0000"`
			LastModifiedDate string   `json:"LastModifiedDate" like:".{19}\\.[0-9]{3}\\+0000"`
		} `json:"records"`
	}
	salesforceErrors []struct {
		Message   string `json:"message"`
		ErrorCode string `json:"errorCode" like:"INVALID_SESSION_ID"`
	}

	link struct {
		Href string `json:"href" like:"https?://.+"`
	}
	springPage struct {
		Embedded struct {
			Campaigns []struct {
				ID     string `json:"id" like:"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"`
				Name   string `json:"name"`
				Status string `json:"status" like:"DRAFT|ACTIVE|ENDED"`
				Budget *struct {
					Amount   float64 `json:"amount"`
					Currency string  `json:"currency" like:"[A-Z]{3}"`
				} `json:"budget"`
				Version   int       `json:"version"`
				CreatedAt time.Time `json:"createdAt"`
				UpdatedAt time.Time `json:"updatedAt"`
				Links     struct {
					Self     link `json:"self"`
					Campaign link `json:"campaign"`
				} `json:"_links"`
			} `json:"campaigns"`
		} `json:"_embedded"`
		Links struct {
			Self link  `json:"self"`
			Next *link `json:"next,omitempty"`
		} `json:"_links"`
		CountsByStatus map[string]int `json:"countsByStatus"`
		Page           struct {
			Size          int `json:"size"`
			TotalElements int `json:"totalElements"`
			TotalPages    int `json:"totalPages"`
			Number        int `json:"number"`
		} `json:"page"`
	}
	springError struct {
		Timestamp string `json:"timestamp"`
		Status    int    `json:"status"`
		Error     string `json:"error" like:"Unauthorized"`
		Path      string `json:"path"`
	}

	dotnetPage struct {
		Items []struct {
			ID      string   `json:"id" like:"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"`
			Name    string   `json:"name"`
			State   string   `json:"state" like:"Draft|Active|Paused"`
			Budget  *float64 `json:"budget"`
			OwnerID *string  `json:"ownerId"`
			Owner   struct {
				DisplayName string  `json:"displayName"`
				Email       string  `json:"email" like:".+@.+"`
				Phone       *string `json:"phone"`
			} `json:"owner"`
			Channels []struct {
				Kind   string `json:"kind"`
				Weight int    `json:"weight"`
			} `json:"channels"`
			IsArchived bool       `json:"isArchived"`
			CreatedAt  time.Time  `json:"createdAt"`
			ModifiedAt *time.Time `json:"modifiedAt"`
		} `json:"items"`
		PageNumber      int  `json:"pageNumber"`
		PageSize        int  `json:"pageSize"`
		TotalPages      int  `json:"totalPages"`
		TotalCount      int  `json:"totalCount"`
		HasPreviousPage bool `json:"hasPreviousPage"`
		HasNextPage     bool `json:"hasNextPage"`
	}
	dotnetProblem struct {
		Type    string `json:"type"`
		Title   string `json:"title" like:"Unauthorized"`
		Status  int    `json:"status"`
		TraceID string `json:"traceId"`
	}

	epochPage struct {
		Campaigns []struct {
			ID           string `json:"id" like:"[0-9]+"`
			Name         string `json:"name"`
			Status       string `json:"status" like:"ENABLED|PAUSED|REMOVED"`
			CreatedAt    int    `json:"created_at" like:"1[0-9]{9}"`
			UpdatedAt    int    `json:"updated_at" like:"1[0-9]{9}"`
			Weight       int    `json:"weight"`
			BudgetMicros string `json:"budget_micros,omitempty" like:"[0-9]+"`
		} `json:"campaigns"`
		NextPageToken string `json:"next_page_token"`
		TotalSize     int    `json:"total_size"`
	}
	epochError struct {
		Error struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Status  string `json:"status" like:"UNAUTHENTICATED"`
		} `json:"error"`
	}
)

// An outcome of a client: how many campaigns there are, and how it understands a request
// without a token, and one with a token that nobody knows.
type met struct {
	Count   int    `json:"count"`
	Missing string `json:"missing"`
	Unknown string `json:"unknown"`
}

// goClients are the clients in Go, by family.
var goClients = map[string]func(baseURL, token string) (met, error){
	"rails": client(func(p railsPage) (int, int, bool) {
		return len(p.Campaigns), p.Meta.TotalCount, p.Meta.NextPage != nil || p.Meta.CurrentPage < p.Meta.TotalPages
	},
		func(e railsError, challenge string) string { return fmt.Sprint(e.Status, " ", e.Error, " ", challenge) }),
	"salesforce": client(func(p salesforcePage) (int, int, bool) { return len(p.Records), p.TotalSize, !p.Done },
		func(e salesforceErrors, challenge string) string { return e[0].ErrorCode + " " + challenge }),
	"spring": client(func(p springPage) (int, int, bool) {
		return len(p.Embedded.Campaigns), p.Page.TotalElements, p.Links.Next != nil || p.Page.Number+1 < p.Page.TotalPages
	},
		func(e springError, challenge string) string { return fmt.Sprint(e.Status, " ", challenge) }),
	"dotnet": client(func(p dotnetPage) (int, int, bool) {
		return len(p.Items), p.TotalCount, p.HasNextPage || p.PageNumber < p.TotalPages
	},
		func(e dotnetProblem, challenge string) string {
			return fmt.Sprint(e.Status, " ", e.Title, " ", challenge)
		}),
	"epoch": client(func(p epochPage) (int, int, bool) { return len(p.Campaigns), p.TotalSize, p.NextPageToken != "" },
		func(e epochError, challenge string) string { return e.Error.Status + " " + challenge }),
}

// client returns a client that reads pages and errors of two types. read returns how many
// campaigns a page has, the total, and whether there are more pages.
func client[Page, Problem any](read func(Page) (campaigns, total int, more bool), refusal func(p Problem, challenge string) string) func(baseURL, token string) (met, error) {
	list := func(baseURL, token string) (int, string, error) {
		status, header, body, err := get(baseURL, token)
		if err != nil {
			return 0, "", err
		}
		if status >= 300 {
			problem, err := decode[Problem](body)
			if err != nil {
				return 0, "", err
			}
			scheme, parameters, _ := strings.Cut(header.Get("WWW-Authenticate"), " ")
			if strings.Contains(parameters, `error="invalid_token"`) {
				scheme += ", the token is invalid"
			}
			return 0, refusal(problem, scheme), nil
		}
		page, err := decode[Page](body)
		if err != nil {
			return 0, "", err
		}
		campaigns, total, more := read(page)
		if more || campaigns != total {
			return 0, "", fmt.Errorf("there are %d of %d campaigns, and more pages: %t", campaigns, total, more)
		}
		return campaigns, "", nil
	}
	return func(baseURL, token string) (m met, err error) {
		if m.Count, _, err = list(baseURL, token); err == nil {
			_, m.Missing, err = list(baseURL, "")
		}
		if err == nil {
			_, m.Unknown, err = list(baseURL, "nobody-knows-this")
		}
		return m, err
	}
}

// get asks for the list, without a token if that is "".
func get(baseURL, token string) (status int, header http.Header, body []byte, err error) {
	r, err := http.NewRequest("GET", baseURL+"/user/campaigns", nil)
	if err != nil {
		return 0, nil, nil, err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, response.Header, body, err
}

// decode reads JSON of a type, strictly.
func decode[V any](body []byte) (V, error) {
	var value V
	var tree any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&tree)
	if err == nil {
		err = fits(tree, reflect.TypeFor[V](), "", "the answer")
	}
	if err == nil {
		err = json.Unmarshal(body, &value)
	}
	return value, err
}

// fits returns an error unless a JSON value has all that a type has, and no more.
func fits(value any, kind reflect.Type, like, path string) error {
	wrong := fmt.Errorf("%s is %.200v, no %v", path, value, kind)
	if kind.Kind() == reflect.Pointer {
		if value == nil {
			return nil
		}
		return fits(value, kind.Elem(), like, path)
	}
	if value == nil || like != "" && !regexp.MustCompile("^("+like+")$").MatchString(fmt.Sprint(value)) {
		return fmt.Errorf("%w like %q", wrong, like)
	}
	if kind == reflect.TypeFor[time.Time]() {
		text, _ := value.(string)
		_, err := time.Parse(time.RFC3339, text)
		return err
	}
	switch v := value.(type) {
	case map[string]any:
		return fitsObject(v, kind, path, wrong)
	case []any:
		if kind.Kind() != reflect.Slice {
			return wrong
		}
		for i, item := range v {
			if err := fits(item, kind.Elem(), "", fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case json.Number:
		_, err := v.Int64()
		if kind.Kind() != reflect.Float64 && (kind.Kind() != reflect.Int || err != nil) {
			return wrong
		}
		return nil
	}
	if reflect.TypeOf(value) != kind {
		return wrong
	}
	return nil
}

// fitsObject does so for an object.
func fitsObject(object map[string]any, kind reflect.Type, path string, wrong error) error {
	if kind.Kind() == reflect.Map {
		for key, value := range object {
			if err := fits(value, kind.Elem(), "", path+"."+key); err != nil {
				return err
			}
		}
		return nil
	}
	if kind.Kind() != reflect.Struct {
		return wrong
	}
	known := 0
	for _, field := range reflect.VisibleFields(kind) {
		name, optional, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, there := object[name]
		if !there && optional == "" {
			return fmt.Errorf("%s has no %s", path, name)
		}
		if there {
			known++
			if err := fits(value, field.Type, field.Tag.Get("like"), path+"."+name); err != nil {
				return err
			}
		}
	}
	if known < len(object) {
		return fmt.Errorf("%s has keys that nobody knows: %v", path, object)
	}
	return nil
}
