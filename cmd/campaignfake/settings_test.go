package main

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
)

func TestSettingsYAML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		value any // of a further field
		want  string
	}{
		{"a word", "Spring", "Spring"},
		{"words", "Sale: 50%", `"Sale: 50%"`},
		{"a colon inside", "12:30 o'clock", "12:30 o'clock"},
		{"a colon at the end", "Sale:", `"Sale:"`},
		{"a number sign", "cmp_##", "cmp_##"},
		{"a comment", "a #1", `"a #1"`},
		{"quotes inside", `realm="a"`, `realm="a"`},
		{"quotes outside", `"a"`, `"\"a\""`},
		{"a backslash", `a\b`, `a\b`},
		{"lines", "a\nb\n", `"a\nb\n"`},
		{"spaces around", " a ", `" a "`},
		{"nothing", "", `""`},
		{"letters of all kinds", "läuft 🚀 日本", "läuft 🚀 日本"},
		{"what cannot be seen", "a\u200b\u202eb", `"a\u200b\u202eb"`},
		{"true", "true", `"true"`},
		{"False", "False", `"False"`},
		{"null", "null", `"null"`},
		{"off", "off", "off"},
		{"a tilde", "~", `"~"`},
		{"a merge", "<<", `"<<"`},
		{"HTML", "<p>no</p>", "<p>no</p>"},
		{"a dash", "- a", `"- a"`},
		{"braces", "{}", `"{}"`},
		{"digits", "0123", `"0123"`},
		{"a float", "1.5e3", `"1.5e3"`},
		{"a dot", ".5", `".5"`},
		{"hexadecimal", "0x1F", `"0x1F"`},
		{"underscores", "1_000", `"1_000"`},
		{"a day", "2025-01-05", `"2025-01-05"`},
		{"a date", "2025-01-05T09:30:00Z", "2025-01-05T09:30:00Z"},
		{"a number", 1.5, "1.5"},
		{"a large number", json.Number("12345678901234567890"), "12345678901234567890"},
		{"a boolean", true, "true"},
		{"no value", nil, "null"},
		{"no list", []any{}, "[]"},
		{"no object", map[string]any{}, "{}"},
		{"a list", []any{1, "a"}, "\n      - 1\n      - a"},
		{"a list of objects", []any{map[string]any{"a": 1, "b": []any{2}}, map[string]any{}},
			"\n      - a: 1\n        b:\n          - 2\n      - {}"},
		{"a list of lists", []any{[]any{1, 2}, []any{}}, "\n      - - 1\n        - 2\n      - []"},
		{"an object", map[string]any{"b": "x", "a: b": map[string]any{"true": 1}},
			"\n      \"a: b\":\n        \"true\": 1\n      b: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := fixtures.Service{Extra: map[string]any{"value": tt.value}}
			got, err := settingsYAML(settings)
			if err != nil {
				t.Fatal(err)
			}
			space := " "
			if tt.want[0] == '\n' {
				space = ""
			}
			want := "service:\n  extra:\n    value:" + space + tt.want + "\n"
			if got != want {
				t.Errorf("written is\n%s\nwant\n%s", got, want)
			}
			set, err := fixtures.LoadFS(fstest.MapFS{"service.yaml": {Data: []byte(got)}})
			if err != nil {
				t.Fatal(err)
			}
			read, err := json.Marshal(set.Service)
			if err != nil {
				t.Fatal(err)
			}
			given, err := json.Marshal(settings)
			if err != nil || string(read) != string(given) {
				t.Errorf("loaded is %s, want %s; %v", read, given, err)
			}
		})
	}
}

// Settings that are written together keep their order, and settings of none are written as such.
func TestSettingsYAMLOfSeveral(t *testing.T) {
	t.Parallel()
	got, err := settingsYAML(fixtures.Service{Timestamps: "sql", IDs: "cmp_##", CORS: []string{"off"}})
	want := "service:\n  ids: cmp_##\n  timestamps: sql\n  cors:\n    - off\n"
	if err != nil || got != want {
		t.Errorf("written is %v\n%s\nwant\n%s", err, got, want)
	}
	got, err = settingsYAML(fixtures.Service{})
	if err != nil || got != noSettings {
		t.Errorf("written is %v %q, want %q", err, got, noSettings)
	}
}
