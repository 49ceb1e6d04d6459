"""The documented service with one thing in another shape. The argument says which."""

import functools
import itertools
import sys
import time

import documented
from documented import HTML, JSON, campaigns


class Shape(documented.Service):
    def body(self):
        return bodies[sys.argv[1]]()

    def listed(self):
        if sys.argv[1] == "not-twice" and self.asked == 2:
            self.send(200, JSON | self.cors(), {"data": campaigns()})
        elif sys.argv[1] == "json-as-html":
            self.send(200, HTML | self.cors(), self.body())
        else:
            super().listed()

    def missing_token(self):
        self.instead("missing_token")

    def invalid_token(self):
        self.instead("invalid_token")

    def not_found(self):
        self.instead("not_found")

    def cors(self):
        if sys.argv[1] != "own-origin":
            return super().cors()
        own = "https://app.example.com"
        return {"Access-Control-Allow-Origin": own, "Access-Control-Allow-Credentials": "true"} if self.headers.get("Origin") == own else {}

    def instead(self, name):
        """Sends what is documented, or what the table of refusals has instead."""
        refusal = refusals.get(sys.argv[1], {}).get(name)
        if refusal:
            refusal(self)
        else:
            getattr(documented.Service, name)(self)


def each(change, count=8):
    """The list with a change in each campaign, which gets its number as well."""
    return {"campaigns": [{**campaign, **change(number, campaign)} for number, campaign in enumerate(campaigns(count))]}


def without(name, every=1):
    """The list without a field in every so many campaigns."""
    return {"campaigns": [{key: value for key, value in campaign.items() if key != name or number % every} for number, campaign in enumerate(campaigns())]}


bodies = {
    "as-documented": lambda: {"campaigns": campaigns()},
    "not-twice": lambda: {"campaigns": campaigns()},
    "one-campaign": lambda: {"campaigns": campaigns(1)},
    "optional-field": lambda: {"campaigns": [campaign | ({"score": 7744} if number % 2 else {}) for number, campaign in enumerate(campaigns())]},
    "optional-documented-field": lambda: without("updated_at", 3),
    "no-updated-at": lambda: without("updated_at"),
    "unix-time": lambda: each(lambda number, _: {"created_at": int(time.time()) - number}),
    "unix-text": lambda: each(lambda number, _: {"created_at": str(1774400000 + number), "updated_at": str(1774400000 + number)}),
    "null-names": lambda: each(lambda number, campaign: {"name": None if number % 2 else campaign["name"]}),
    "names-all-null": lambda: each(lambda *_: {"name": None}),
    "objects-as-status": lambda: each(lambda _, campaign: {"status": {"code": 7744, "label": campaign["status"]}}),
    "object-with-ids-as-keys": lambda: each(lambda number, _: {"counts": {f"kestrel-7744{number}": 1}}),
    "ids-of-both-kinds": lambda: each(lambda number, campaign: {"id": 7744 + number if number % 2 else campaign["id"]}),
    "large-numbers": lambda: each(lambda number, _: {"id": 77440000000000000000 + number, "score": 7.744e300}),
    "odd-names": lambda: each(lambda *_: {name: 1 for name in odd_names}) | {name: 1 for name in odd_names},
    "odd-envelope": lambda: {"on: {x} #\u2028'": campaigns()},
    "name-of-two-lines": lambda: each(lambda *_: {"two\nlines": 1}),
    "long-name": lambda: each(lambda *_: {"x" * 129: 1}),
    "object-ids": lambda: each(lambda number, _: {"id": f"5f7744{number * 7919:018x}"}),
    "offsets": lambda: each(lambda number, _: {"created_at": f"2026-03-2{number}T10:00:00+0{number % 2 + 1}:00", "updated_at": "2026-07-01T10:00:00+02:00"}),
    "trimmed-fractions": lambda: each(lambda number, _: {"created_at": "2026-03-20T10:00:00." + "7744"[:number % 4 + 1] + "Z"}),
    "numbers-as-status": lambda: each(lambda number, _: {"status": number % 3}),
    "directives": lambda: each(lambda number, _: {name: 1 for name in directives if name != "id"} | {"nested": {name: {"value": number} for name in directives}}),
    "17-levels": lambda: each(lambda number, _: {"a": functools.reduce(lambda value, _: {"a": value}, range(17), number)}),
    "600-fields": lambda: each(lambda number, _: {f"field_{word}": number for word in ("".join(letters) for letters in itertools.product("abcdefghi", "opqrst", "uvwxyzabcdefg"))}),
    "two-names": lambda: {"campaigns": [{**{key: value for key, value in campaign.items() if key != "name"}, "title": campaign["name"], "label": campaign["name"]} for campaign in campaigns(24)]},
    "texts": lambda: kinds("letter", "banner"),
    "texts-more": lambda: kinds("letter", "banner", "poster"),
    "texts-other": lambda: kinds("letter", "banner"),
    "many": lambda: {"campaigns": campaigns(20_000)},
}

def kinds(*names):
    """The list with an enum in each campaign."""
    return each(lambda number, _: {"kind": names[number % len(names)]}, 24)


odd_names = [
    "on", "null", "123", "1e3", "~", "fake", "value", "type", "a.b", "a:b", "a: b", "#x", "- x", "with space", " around ", "ключ", "🎈", "tab\t", 'quo"te', "{number:1,5}", "<<", "*a", "&a", "!x", "%x", "@x", "`x`", "",
]


directives = ["$fake", "$text", "$value", "$type", "$null", "fake", "text", "value", "{id}", "{name}", "id", "*"]


def says(status, headers, body):
    """Returns a function that sends an answer."""
    return lambda service: service.send(status, headers, body)


PAGE = "<!doctype html><title>Kestrel</title><div id=app></div>"

# What is answered without campaigns, where that is not as documented.
refusals = {
    "public": {"missing_token": documented.Service.listed},
    "redirect-without-token": {
        "missing_token": lambda s: s.send(302, HTML | {"Location": "/login?kestrel"}, PAGE),
        "invalid_token": lambda s: s.send(302, HTML | {"Location": "/login?kestrel"}, PAGE),
    },
    "page-for-all": {"not_found": says(200, HTML, PAGE)},
    "texts": {"invalid_token": says(401, JSON, {"message": "Who are you?"})},
    "texts-more": {"invalid_token": says(401, JSON, {"message": "Who are you?"})},
    "texts-other": {"invalid_token": says(401, JSON, {"message": "We do not know you."})},
    "empty-errors": {"missing_token": says(401, {}, ""), "invalid_token": says(401, {}, ""), "not_found": says(404, {}, "")},
    "broken-errors": {"invalid_token": says(500, HTML, PAGE)},
    "validation": {"missing_token": says(422, JSON, {"message": "The token is required.", "errors": {"token": ["The token is required."]}})},
    "limited-errors": {"invalid_token": says(429, JSON | {"Retry-After": "3600"}, {"message": "Too Many Attempts.", "retry_after": 3600})},
}
for state in refusals.keys() | {"json-as-html", "own-origin"}:
    bodies.setdefault(state, bodies["as-documented"])

documented.serve(Shape)
