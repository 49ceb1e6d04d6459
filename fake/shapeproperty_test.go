package fake_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A drawnShape draws JSON texts of settings and users.
type drawnShape struct{ *rand.Rand }

func (r drawnShape) quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// object draws an object whose values a function draws.
func (r drawnShape) object(value func() string) string {
	keys := []string{"a", "B", "data", "é", "", "a.b", "x y", "null", "$type", "value", "\u2028", "9", "<<", "id", "status", "\"", "\x7f"}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var members []string
	for _, key := range keys[:r.IntN(4)] {
		members = append(members, r.quoted(key)+":"+value())
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (r drawnShape) list(value func() string) string {
	var items []string
	for range r.IntN(3) {
		items = append(items, value())
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (r drawnShape) constant() string {
	return anyOf(r.Rand, "null", "true", "0", "-1.50", "1e400", "12345678901234567890", `""`, `"~"`, `"yes"`, `"0x1F"`, `"2026-01-05"`, `"{ }"`, `"#?"`, `"\u0001\u007f\u2028\ufeff"`, `"a: b"`, `" # "`)
}

// value draws a literal.
func (r drawnShape) value(depth int) string {
	inner := func() string { return r.value(depth - 1) }
	switch {
	case depth > 0 && r.IntN(3) == 0:
		return r.object(inner)
	case depth > 0 && r.IntN(4) == 0:
		return r.list(inner)
	case r.IntN(6) == 0:
		return r.quoted(anyOf(r.Rand, "{id}", "{campaigns}", "{nonsense}"))
	}
	return r.constant()
}

// shape draws a shape with some placeholders, nested to a depth.
func (r drawnShape) shape(depth int, placeholders ...string) string {
	inner := func() string { return r.shape(depth-1, placeholders...) }
	placeholder := func() string { return "{" + anyOf(r.Rand, placeholders...) + "}" }
	rare := func() string {
		return anyOf(r.Rand, "", "", `,"$null":0.5`, `,"$absent":0.25`, `,"$null":0.3,"$absent":0.3`)
	}
	if depth > 0 && r.IntN(2) == 0 {
		return r.object(inner)
	}
	if depth > 0 && r.IntN(5) == 0 {
		return r.list(inner)
	}
	switch r.IntN(6) {
	case 0:
		return r.quoted(anyOf(r.Rand, "/x/", "§", "") + placeholder() + "?" + placeholder())
	case 1:
		return `{"$text":` + r.quoted(placeholder()) + anyOf(r.Rand, "", `,"$type":"string"`) + rare() + "}"
	case 2:
		fakes := []string{`"{price:10,500}","$type":"number"`, `"{number:1,9}","$type":"integer"`, `"{bool}","$type":"boolean"`, `"{adjective} {noun} ##"`, `"{uuid}"`, `"{randomstring:[a,b c]}"`}
		return `{"$fake":` + anyOf(r.Rand, fakes...) + rare() + "}"
	case 3:
		return `{"$value":` + r.value(2) + rare() + "}"
	case 4:
		return r.constant()
	}
	return r.quoted(placeholder())
}

// whole draws the shape of a whole value, which cannot be absent.
func (r drawnShape) whole(placeholders ...string) string {
	inner := func() string { return r.shape(3, placeholders...) }
	return anyOf(r.Rand, r.object(inner), `{"a":`+inner()+`,"z":`+inner()+"}", "["+inner()+"]", r.quoted("{"+placeholders[0]+"}"))
}

// headers draws headers, some with several values.
func (r drawnShape) headers() string {
	return anyOf(r.Rand, `{}`, `{"Set-Cookie":["a=1","b=2"]}`, `{"content-type":"application/vnd.api+json"}`, `{"X-A":"","ETag":"\"x\"","WWW-Authenticate":["Bearer","Basic realm=\"é\""]}`)
}

// optional draws members of an object, each or none.
func (r drawnShape) optional(members ...string) string {
	var some []string
	for _, m := range members {
		if r.IntN(2) == 0 {
			some = append(some, m)
		}
	}
	return "{" + strings.Join(some, ",") + "}"
}

// service draws settings.
func (r drawnShape) service() string {
	body := r.quoted("{campaigns}")
	for range r.IntN(4) {
		beside := r.shape(2, "count")
		body = anyOf(r.Rand, "["+body+","+beside+"]", `{"data":`+body+`,"z":`+beside+`,"a":1}`)
	}
	responses := make([]string, 0, 6)
	for _, name := range []string{"default", "missing_token", "invalid_token", "not_found", "method_not_allowed", "rate_limited"} {
		members := []string{`"headers":` + r.headers(), `"body":` + anyOf(r.Rand, `"plain {status}"`, `""`, r.whole("status", "title", "detail"))}
		if name != "default" {
			members = append(members, `"status":`+anyOf(r.Rand, "400", "403", "418", "201"))
		}
		response := r.optional(members...)
		if name != "default" && r.IntN(6) == 0 {
			response = `{"status":204}`
		}
		responses = append(responses, r.quoted(name)+":"+response)
	}
	return r.optional(
		`"success":`+r.optional(`"body":`+body, `"headers":`+r.headers(), `"status":201`),
		`"campaign":`+r.whole("id", "name", "created_at", "updated_at", "status"),
		`"responses":`+r.optional(responses...),
		`"ids":"`+anyOf(r.Rand, "integers", "sequence", "cmp_########")+`"`,
		`"timestamps":"`+anyOf(r.Rand, "unix", "unix_millis", "sql", "rfc3339_micros", "02.01.2006 15:04", "2006-01-02")+`"`,
		`"names":"{adjective} ##"`, `"statuses":["live","{id}","ended"]`, `"seed":`+fmt.Sprint(r.IntN(3)), `"unknown_tokens":"generate"`,
	)
}

// campaign draws a campaign.
func (r drawnShape) campaign() string {
	var members, extra, omitted []string
	for _, field := range []string{"id", "name", "created_at", "updated_at", "status"} {
		switch r.IntN(7) {
		case 0:
			members = append(members, r.quoted(field)+":"+anyOf(r.Rand, `""`, "null"))
		case 1:
			extra = append(extra, r.quoted(field)+":"+r.value(2))
		case 2:
			omitted = append(omitted, r.quoted(field))
		case 3:
			members = append(members, r.quoted(field)+":"+r.quoted(anyOf(r.Rand, "17", "-0", "007", "a\nb", "2031-05-06T07:08:09Z", "1767605400", "{name}", "~")))
		}
	}
	for _, key := range []string{"a", "data", "x"} {
		if r.IntN(4) == 0 {
			extra = append(extra, r.quoted(key)+":"+r.value(3))
		}
	}
	if len(extra) > 0 {
		members = append(members, `"extra":{`+strings.Join(extra, ",")+"}")
	}
	if len(omitted) > 0 {
		members = append(members, `"omit":[`+strings.Join(omitted, ",")+"]")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// user draws a user.
func (r drawnShape) user() string {
	campaigns := func() string { return `"campaigns":` + r.list(r.campaign) }
	reply := func() string {
		return anyOf(r.Rand, "{"+campaigns()+"}", `{"status":503}`, `{"status":500,"body":`+r.value(3)+`,"headers":`+r.headers()+"}", `{"status":202,"body":`+r.value(3)+"}", `{"response":"not_found"}`, `{"status":204,"headers":`+r.headers()+"}")
	}
	list := anyOf(r.Rand, campaigns(), `"generate":{"count":3}`, `"generate":{"count":2,"edge_cases":true,"statuses":{"a":1,"b":2}}`)
	return "{" + list + anyOf(r.Rand, "", `,"replies":[`+reply()+","+reply()+"]") + "}"
}

// answers returns all that a server answers to some requests.
func answers(t *testing.T, srv *fake.Server, tokens []string) string {
	t.Helper()
	var all strings.Builder
	for _, request := range []struct{ method, path, token string }{
		{"GET", listPath, ""}, {"GET", "/api/nowhere", "alice"}, {"DELETE", listPath, "alice"}, {"GET", listPath, "unknown"}, {"HEAD", listPath, "unknown"},
	} {
		header := bearer(request.token)
		if request.token == "" {
			header = http.Header{}
		}
		response, body := ask(t, srv, request.method, request.path, header)
		writeAnswer(&all, request.method+" "+request.token, response, body)
	}
	for range 3 {
		for _, token := range tokens {
			response, body := ask(t, srv, "GET", listPath, bearer(token))
			if response.StatusCode == 200 && !json.Valid([]byte(body)) {
				t.Errorf("%s gets what is no JSON: %s", token, body)
			}
			writeAnswer(&all, token, response, body)
		}
	}
	return all.String()
}

func writeAnswer(to *strings.Builder, name string, response *http.Response, body string) {
	header := response.Header.Clone()
	header.Del("Date")
	fmt.Fprintf(to, "%s: %d", name, response.StatusCode)
	for _, key := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintf(to, " %s=%q", key, header[key])
	}
	fmt.Fprintf(to, "\n%s\n", body)
}

// nestedShape returns the settings that were given as one object.
func nestedShape(t *testing.T, answer string) string {
	t.Helper()
	var got struct {
		Settings []struct {
			Name, Basis string
			Value       json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	tree := map[string]any{}
	for _, s := range got.Settings {
		if s.Basis != "configured" {
			continue
		}
		at, keys := tree, strings.Split(s.Name, ".")
		for _, key := range keys[:len(keys)-1] {
			if at[key] == nil {
				at[key] = map[string]any{}
			}
			at = at[key].(map[string]any)
		}
		at[keys[len(keys)-1]] = s.Value
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tree); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// What was set over HTTP, shown, and loaded from a file gives the same answers, to the
// byte; and so do the same settings in Go.
func TestSettingsSurviveAFile(t *testing.T) {
	t.Parallel()
	seeds := 60
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := drawnShape{rand.New(rand.NewPCG(uint64(seed), 18))}
			service := r.service()
			users := map[string]string{"alice": r.user(), "bob": r.user(), "~": r.user()}
			tokens := slices.Sorted(maps.Keys(users))

			first := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
			status, shown := steer(t, first, "PUT", "service", service)
			if status != 200 {
				t.Fatalf("the settings %s are refused: %s", service, shown)
			}
			for _, token := range tokens {
				if status, answer := steer(t, first, "PUT", "users?token="+token, users[token]); status >= 300 {
					t.Fatalf("the user %s is refused: %s", users[token], answer)
				}
			}
			root := strings.TrimSuffix(first.BaseURL(), "/api")
			request, _ := http.NewRequest("GET", root+"/_fake/users?format=yaml", nil)
			_, file := send(t, first, request)
			file = "service: " + nestedShape(t, shown) + file
			second := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(file)}}))
			want := answers(t, first, tokens)
			if got := answers(t, second, tokens); got != want {
				t.Errorf("from the file\n%s\nthe answers are\n%s\nwant\n%s", file, got, want)
			}

			settings, _, err := fixtures.ReadService("a", []byte(service))
			if err != nil {
				t.Fatal(err)
			}
			written, err := json.Marshal(settings)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := fixtures.ReadService("a", written)
			if err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
			options := []fake.Option{fake.WithInMemory(), fake.WithLenient(), fake.WithService(again)}
			for _, token := range tokens {
				user, err := settings.ReadUser("a", token, []byte(users[token]))
				if err != nil {
					t.Fatal(err)
				}
				options = append(options, fake.WithUser(token, user))
			}
			if got := answers(t, fake.NewTestServer(t, options...), tokens); got != want {
				t.Errorf("from Go, with\n%s\nthe answers are\n%s\nwant\n%s", written, got, want)
			}
		})
	}
}

// fits reports whether a value of JSON fits one of the schemas, of which the first refers to
// the others. It knows the keywords that the server uses.
func fits(schemas map[string]any, s map[string]any, value any) bool {
	if name, is := s["$ref"].(string); is {
		return fits(schemas, schemas[name].(map[string]any), value)
	}
	if choices, is := s["anyOf"].([]any); is {
		return slices.ContainsFunc(choices, func(choice any) bool { return fits(schemas, choice.(map[string]any), value) })
	}
	if words, is := s["enum"].([]any); is && !slices.Contains(words, value) {
		return false
	}
	types, several := s["type"].([]any)
	if !several {
		types = []any{s["type"]}
	}
	is, isObject, isList := "string", false, false
	var object map[string]any
	var list []any
	switch value := value.(type) {
	case nil:
		is = "null"
	case bool:
		is = "boolean"
	case json.Number:
		if is = "number"; !strings.ContainsAny(value.String(), ".eE") && slices.Contains(types, any("integer")) {
			is = "integer"
		}
	case map[string]any:
		is, isObject, object = "object", true, value
	case []any:
		is, isList, list = "array", true, value
	}
	if s["type"] != nil && !slices.Contains(types, any(is)) {
		return false
	}
	if required, has := s["required"].([]any); has && isObject {
		for _, key := range required {
			if _, has := object[key.(string)]; !has {
				return false
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for key, inner := range object {
		if of, has := properties[key].(map[string]any); has && !fits(schemas, of, inner) {
			return false
		}
	}
	items, has := s["items"].(map[string]any)
	return !has || !isList || !slices.ContainsFunc(list, func(item any) bool { return !fits(schemas, items, item) })
}

// Generated campaigns fit the schemas that are made of the shape, whatever it is.
func TestAnswersFitTheSchemasOfTheirShape(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := drawnShape{rand.New(rand.NewPCG(seed, 19))}
		service, _, err := fixtures.ReadService("a", []byte(r.service()))
		if err != nil {
			t.Fatal(err)
		}
		shape := service.Shape()
		body, err := shape.AppendJSON(nil, "alice", fake.User{Generate: &fake.Generate{Count: 20}})
		if err != nil {
			t.Fatal(err)
		}
		schemas := decodedJSON(t, encodedJSON(t, shape.Schemas(""))).(map[string]any)
		if !fits(schemas, schemas["CampaignList"].(map[string]any), decodedJSON(t, string(body))) {
			t.Errorf("%d: the answer %s does not fit %s", seed, body, encodedJSON(t, schemas))
		}
	}
}

// anyOf draws one of several values.
func anyOf[V any](r *rand.Rand, values ...V) V { return values[r.IntN(len(values))] }
