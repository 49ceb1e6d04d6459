"""Typed clients of five families. The arguments are a family, a base URL and a token; the
output is what came of the list, of a request without a token, and of an unknown token."""

import datetime
import json
import re
import sys
import types
import urllib.error
import urllib.request
from typing import Annotated, Literal, NamedTuple, NotRequired, Required, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict


class Refused(Exception):
    pass


def check(value, kind, path="the answer"):
    """Fails unless a JSON value is of a type; strictly: with all its keys, and no others."""
    origin, args = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        require(isinstance(value, dict) and kind.__required_keys__ <= value.keys() <= hints.keys(), path, value, kind)
        for key in value:
            check(value[key], hints[key], f"{path}.{key}")
    elif origin in (NotRequired, Required):
        check(value, args[0], path)
    elif origin is list:
        require(isinstance(value, list), path, value, kind)
        for number, item in enumerate(value):
            check(item, args[0], f"{path}[{number}]")
    elif origin is Literal:
        require(value in args and type(value) in map(type, args), path, value, kind)
    elif origin in (Union, types.UnionType):
        require(type(None) in args, path, value, kind)
        if value is not None:
            check(value, args[0], path)
    elif origin is Annotated:
        check(value, args[0], path)
        require(args[1](value), path, value, args[1].__name__)
    else:
        require(type(value) is kind or kind is float and type(value) is int, path, value, kind)


def require(fits, path, value, kind):
    if not fits:
        raise TypeError(f"{path} is {value!r:.200}, not {getattr(kind, '__name__', kind)}")


def like(pattern):
    def matches(text):
        return re.fullmatch(pattern, text)

    matches.__name__ = pattern
    return Annotated[str, matches]


def date(layout):
    def is_date(text):
        try:
            return datetime.datetime.strptime(text, layout)
        except ValueError:
            return None

    is_date.__name__ = layout
    return Annotated[str, is_date]


def isoformat(zone):
    return like(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?" + zone)


def between(low, high):
    def is_between(number):
        return low <= number <= high

    return Annotated[int, is_between]


Count = between(0, 2**63)
Digits = like(r"\d+")
Url = like(r"https?://\S+")


class DjangoCampaign(TypedDict):
    id: Count
    url: Url
    name: str
    status: Literal["draft", "running", "finished"]
    budget: like(r"\d+\.\d\d")
    owner: Count | None
    start_date: date("%Y-%m-%d") | None
    channels: list[str]
    created_at: isoformat("Z")
    updated_at: isoformat("Z")


class DjangoPage(TypedDict):
    count: Count
    next: Url | None
    previous: Url | None
    results: list[DjangoCampaign]


class Age(TypedDict):
    min: Count
    max: Count | None


class Targeting(TypedDict):
    countries: list[str]
    age: Age


class FastAPICampaign(TypedDict):
    id: like("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
    name: str
    status: Literal["draft", "live", "ended"]
    description: str | None
    budget: float | None
    score: float
    targeting: Targeting
    created_at: isoformat("")
    updated_at: isoformat("") | None


class FastAPIPage(TypedDict):
    items: list[FastAPICampaign]
    total: Count
    page: Count
    size: Count
    pages: Count


class Ad(TypedDict):
    id: Digits
    name: str
    status: Literal["ACTIVE", "PAUSED", "ARCHIVED"]
    objective: str
    daily_budget: NotRequired[Digits]
    created_time: date("%Y-%m-%dT%H:%M:%S%z")
    updated_time: date("%Y-%m-%dT%H:%M:%S%z")


class Cursors(TypedDict):
    before: str | None
    after: str | None


class Paging(TypedDict):
    cursors: Cursors
    next: NotRequired[Url]


class FacebookPage(TypedDict):
    data: list[Ad]
    paging: Paging


class BareCampaign(TypedDict):
    id: Count
    name: str
    status: Literal["new", "on-hold", "done"]
    price: float
    country: str | None
    notes: str | None
    site: Url
    created_at: date("%Y-%m-%d %H:%M:%S")
    updated_at: date("%Y-%m-%d %H:%M:%S")


class Audience(TypedDict):
    segment: str
    size: Count


class Budget(TypedDict):
    amount: float
    spent: Count | None


MongoCampaign = TypedDict("MongoCampaign", {
    "_id": like("[0-9a-f]{24}"), "name": str, "status": Literal["pending", "active", "finished"], "createdAt": between(10**12, 10**13), "updatedAt": between(10**12, 10**13),
    "audience": list[Audience], "budget": Budget, "__v": int,
})


class MongoPage(TypedDict):
    success: Literal[True]
    count: Count
    data: list[MongoCampaign]


class Detail(TypedDict):
    detail: str


class GraphError(TypedDict):
    message: str
    type: Literal["OAuthException"]
    code: Literal[190]
    fbtrace_id: str


class GraphRefusal(TypedDict):
    error: GraphError


class Word(TypedDict):
    error: Literal["unauthorized", "forbidden"]


class Failure(TypedDict):
    success: Literal[False]
    message: str


class Family(NamedTuple):
    page: type
    campaigns: object  # the campaigns, the total or None, and the next page, of a page
    refusal: type
    meaning: object  # of a refusal, for whoever shows it


FAMILIES = {
    "django": Family(DjangoPage, lambda p: (p["results"], p["count"], p["next"]), Detail, lambda status, r: r["detail"]),
    "fastapi": Family(FastAPIPage, lambda p: (p["items"], p["total"], p["page"] < p["pages"]), Detail, lambda status, r: f"{status} {r['detail']}"),
    "facebook": Family(FacebookPage, lambda p: (p["data"], None, p["paging"].get("next")), GraphRefusal, lambda status, r: f"{status} {r['error']['code']}"),
    "bare": Family(list[BareCampaign], lambda p: (p, None, None), Word, lambda status, r: r["error"]),
    "mongo": Family(MongoPage, lambda p: (p["data"], p["count"], None), Failure, lambda status, r: str(status)),
}


def ask(family, base_url, token=None):
    request = urllib.request.Request(base_url + "/user/campaigns", headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request) as answer:
            page = json.load(answer)
    except urllib.error.HTTPError as refused:
        refusal = json.load(refused)
        check(refusal, family.refusal)
        raise Refused(family.meaning(refused.code, refusal)) from None
    check(page, family.page)
    campaigns, total, following = family.campaigns(page)
    if following:
        raise ValueError(f"the list goes on at {following}")  # all campaigns are on the first page
    if total not in (None, len(campaigns)):
        raise ValueError(f"the total is {total}, but there are {len(campaigns)} campaigns")
    return len(campaigns)


def refusal(family, base_url, token=None):
    try:
        return f"{ask(family, base_url, token)} campaigns"
    except Refused as refused:
        return str(refused)


if __name__ == "__main__":
    _, name, base_url, token = sys.argv
    family = FAMILIES[name]
    print(json.dumps({"count": ask(family, base_url, token), "missing": refusal(family, base_url), "unknown": refusal(family, base_url, "nobody-knows-this")}))
