"""Services with the habits of sixteen families. The first argument is the family; each
further one changes the data ("data count 31") or an answer, at each place that a path
leads to ("invalid body.error.code set 463")."""

import collections
import datetime
import json
import random
import sys

import documented
from documented import HTML, JSON

UTC = datetime.timezone.utc
WORDS = "kestrel falcon harrier merlin osprey buzzard goshawk kite hobby lanner".split()


class Data:
    """What the further arguments can change of the data alone."""

    count, seed, nulls, order, whole, cents, statuses = 24, 1, 3, "kept", "none", "some", 9


class Raw:
    """What is known of one campaign before a family writes it down."""

    def __init__(self, number):
        self.random = random.Random(Data.seed * 10_000 + number)
        self.number, self.asked = number, 0
        self.integer = 7744_000 + 10 * number + Data.seed
        self.uuid = f"c0ffee42-{self.below(16 ** 4):04x}-4e77-8d5a-{self.below(16 ** 12):012x}"
        self.name = f"Kestrel {self.words(2).title()} {number}"
        self.created, self.updated = self.date(2024), self.date(2026)

    def below(self, limit):
        return self.random.randrange(limit)

    def date(self, year):
        day = datetime.datetime(year, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=self.below(28_000_000))
        whole = Data.whole == "all" or Data.whole == "one" and self.number == 4
        return day.replace(microsecond=0 if whole else 1 + 10 * self.below(99_999))

    def maybe(self, value):
        """A value that some campaigns do not have."""
        self.asked += 1
        return None if Data.nulls and (self.number + self.asked) % Data.nulls == 0 else value

    def one(self, *values):
        return self.random.choice(values[: Data.statuses])

    def money(self):
        """An amount with cents, in whole units, or with cents in one campaign."""
        whole = Data.cents == "none" or Data.cents == "one" and self.number != 5
        return self.below(50_000) if whole else 0.5 if Data.cents == "one" else self.below(50_000) + 0.25

    def words(self, count):
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def email(self):
        return f"{self.words(1)}.{self.words(1)}@kestrel.example"

    def url(self):
        return f"https://kestrel.example/{self.words(1)}/{self.integer}"


def iso(date, timespec="auto"):
    return date.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=timespec)


def rfc3339(date):
    return iso(date, "seconds") + "Z"


def millis(date):
    return iso(date, "milliseconds") + "Z"


class Family:
    """How a family answers. The kinds of errors are missing, invalid, not_found and method."""

    headers = problems = JSON  # of the list, and of errors
    origin = "*"  # whose pages may read it; None: nobody's
    login = False  # whether a browser without a token is sent to a page
    statuses = {"missing": 401, "invalid": 401, "not_found": 404, "method": 405}
    reasons = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 400: "Bad Request", 200: "OK"}
    challenges = {}  # of the answers to a missing and an invalid token

    def error(self, kind):
        status = self.statuses[kind]
        challenge = self.challenges.get(kind)
        headers = self.problems | ({"WWW-Authenticate": challenge} if challenge else {})
        return status, headers, self.problem(kind, status, self.reasons[status])


class Rails(Family):
    """Integers, milliseconds, decimals as texts; errors of two keys."""

    origin = None
    challenges = {"missing": 'Token realm="Application"', "invalid": 'Token realm="Application"'}

    def campaign(self, c):
        return {
            "id": c.integer, "name": c.name, "status": c.one("draft", "active", "paused", "completed", "archived"),
            "subject": c.maybe(c.words(6)), "budget": f"{c.money():.2f}", "account_id": 7744, "tags": c.words(c.below(3)).split(),
            "owner": {"id": c.below(90) + 1, "email": c.email(), "avatar_url": c.maybe(c.url())}, "archived_at": c.maybe(millis(c.updated)),
            "created_at": millis(c.created), "updated_at": millis(c.updated),
        }

    def body(self, campaigns):
        return {"campaigns": campaigns, "meta": {"current_page": 1, "next_page": None, "prev_page": None, "total_pages": 1, "total_count": len(campaigns)}}

    def problem(self, kind, status, reason):
        return {"status": status, "error": reason}


class Laravel(Family):
    """A page of resources, microseconds, a message for each error, a login for browsers, one origin."""

    origin = "http://localhost:5173"
    login = True

    def campaign(self, c):
        return {
            "id": c.integer, "name": c.name, "status": c.one("draft", "active", "paused"), "description": c.maybe(c.words(9)),
            "budget": c.money(), "is_active": c.below(2) == 1, "opens": c.below(9000), "settings": {"track_opens": True, "utm": {"source": c.words(1), "medium": c.maybe("email")}},
            "segment": c.maybe({"id": c.below(50) + 1, "name": c.words(2)}), "image_url": c.maybe(c.url()), "deleted_at": None,
            "created_at": iso(c.created, "microseconds") + "Z", "updated_at": iso(c.updated, "microseconds") + "Z",
        }

    def body(self, campaigns):
        here = "http://kestrel.example/api/user/campaigns"
        links = [{"url": None, "label": "&laquo; Previous", "active": False}, {"url": here + "?page=1", "label": "1", "active": True}, {"url": None, "label": "Next &raquo;", "active": False}]
        return {
            "data": campaigns, "links": {"first": here + "?page=1", "last": here + "?page=1", "prev": None, "next": None},
            "meta": {"current_page": 1, "from": 1, "last_page": 1, "links": links, "path": here, "per_page": 100, "to": len(campaigns), "total": len(campaigns)},
        }

    def problem(self, kind, status, reason):
        return {"message": "Unauthenticated." if status == 401 else "The route api/kestrel could not be found."}


class Django(Family):
    """REST framework: results with a count, a fraction only where there is one, a detail for each error."""

    origin = None
    challenges = {"missing": "Token", "invalid": "Token"}

    def campaign(self, c):
        return {
            "id": c.integer, "url": c.url(), "name": c.name, "status": c.one("draft", "running", "finished"), "budget": f"{c.money():.2f}", "owner": c.maybe(c.below(40) + 1),
            "start_date": c.maybe(iso(c.created)[:10]), "channels": ["email"] * c.below(3), "created_at": iso(c.created) + "Z", "updated_at": iso(c.updated) + "Z",
        }

    def body(self, campaigns):
        return {"count": len(campaigns), "next": None, "previous": None, "results": campaigns}

    def problem(self, kind, status, reason):
        return {"detail": {"missing": "Authentication credentials were not provided.", "invalid": "Invalid token.", "not_found": "Not found.", "method": 'Method "PUT" not allowed.'}[kind]}


class FastAPI(Family):
    """Python's isoformat without a zone, a detail for each error, 403 without a token."""

    statuses = Family.statuses | {"missing": 403}
    challenges = {"invalid": "Bearer"}

    def campaign(self, c):
        return {
            "id": c.uuid, "name": c.name, "status": c.one("draft", "live", "ended"), "description": c.maybe(c.words(8)), "budget": c.maybe(c.money()), "score": c.below(1000) / 1000 + 0.0004,
            "targeting": {"countries": ["DE", "AT"][: 1 + c.below(2)], "age": {"min": 18 + c.below(10), "max": c.maybe(60 + c.below(9))}},
            "created_at": iso(c.created), "updated_at": c.maybe(iso(c.updated)),
        }

    def body(self, campaigns):
        return {"items": campaigns, "total": len(campaigns), "page": 1, "size": 100, "pages": 1}

    def problem(self, kind, status, reason):
        return {"detail": {"missing": "Not authenticated", "invalid": "Could not validate credentials"}.get(kind, reason)}


class JSONAPI(Family):
    """The specification of this name, with dashes in keys."""

    headers = problems = {"Content-Type": "application/vnd.api+json"}

    def campaign(self, c):
        return {
            "type": "campaigns", "id": str(c.integer),
            "attributes": {"title": c.name, "status": c.one("draft", "active", "ended"), "created-at": rfc3339(c.created), "updated-at": rfc3339(c.updated), "budget-cents": c.maybe(c.below(900_000)), "labels": {str(77449_100 + n): c.words(1) for n in range(c.below(3))}},
            "relationships": {"owner": {"data": c.maybe({"type": "users", "id": str(c.below(99) + 1)})}}, "links": {"self": c.url()},
        }

    def body(self, campaigns):
        return {"jsonapi": {"version": "1.0"}, "data": campaigns, "links": {"self": "https://kestrel.example/campaigns", "next": None}, "meta": {"total": len(campaigns)}}

    def problem(self, kind, status, reason):
        return {"errors": [{"status": str(status), "title": reason, "detail": "Kestrel does not know you."}]}


class Stripe(Family):
    """Seconds since 1970, prefixed ids, an object that names each kind."""

    challenges = {"missing": 'Bearer realm="Kestrel"', "invalid": 'Bearer realm="Kestrel"'}

    def campaign(self, c):
        return {
            "id": f"cmp_7744{c.uuid[24:]}", "object": "campaign", "name": c.name, "status": c.one("active", "canceled", "past_due"), "amount": c.below(90_000), "currency": c.one("usd", "eur", "gbp"),
            "description": c.maybe(c.words(5)), "livemode": False, "metadata": {f"kestrel_{c.words(1)}": c.words(1) for _ in range(c.below(3))},
            "created": int(c.created.timestamp()), "updated": int(c.updated.timestamp()), "canceled_at": c.maybe(int(c.updated.timestamp())),
        }

    def body(self, campaigns):
        return {"object": "list", "url": "/v1/campaigns", "has_more": False, "data": campaigns}

    def problem(self, kind, status, reason):
        return {"error": {"type": "invalid_request_error", "message": f"Kestrel: {reason.lower()}, see our pages"}}


class Salesforce(Family):
    """Capitals, records with attributes, dates with +0000, a list of errors."""

    origin = None
    challenges = {"missing": "Token", "invalid": "Token"}

    def campaign(self, c):
        key = f"701{c.uuid[24:]}AA7"
        return {
            "attributes": {"type": "Campaign", "url": f"/services/data/v61.0/sobjects/Campaign/{key}"}, "Id": key, "Name": c.name, "Status": c.one("Planned", "In Progress", "Completed", "Aborted"),
            "Type": c.maybe(c.one("Email", "Webinar", "Conference")), "BudgetedCost": c.maybe(c.money()), "NumberOfLeads": c.below(900), "IsActive": c.below(2) == 1, "StartDate": c.maybe(iso(c.created)[:10]),
            "CreatedDate": iso(c.created, "milliseconds") + "+0000", "LastModifiedDate": iso(c.updated, "milliseconds") + "+0000",
        }

    def body(self, campaigns):
        return {"totalSize": len(campaigns), "done": True, "records": campaigns}

    def problem(self, kind, status, reason):
        word = "INVALID_SESSION_ID" if status == 401 else "NOT_FOUND"
        return [{"message": "Session expired or invalid" if status == 401 else "The requested resource does not exist", "errorCode": word}]


class HubSpot(Family):
    """Ids that are digits, properties, no paging on the last page, an id for each error."""

    def campaign(self, c):
        return {
            "id": str(c.integer), "properties": {"hs_name": c.name, "hs_budget": c.maybe(f"{c.money():.2f}"), "hs_owner": c.maybe(str(c.below(900_000))), "hs_color": f"#{c.below(16 ** 6):06x}"},
            "name": c.name, "status": c.one("DRAFT", "SCHEDULED", "SENT"), "createdAt": millis(c.created), "updatedAt": millis(c.updated), "archived": False,
        }

    def body(self, campaigns):
        return {"results": campaigns}

    def problem(self, kind, status, reason):
        word = "INVALID_AUTHENTICATION" if status == 401 else "OBJECT_NOT_FOUND"
        return {"status": "error", "message": "Kestrel cannot authenticate this call", "correlationId": f"c0ffee42-0a1f-4e77-8d5a-{random.randrange(16 ** 12):012x}", "category": word}


class Facebook(Family):
    """The graph: cursors that stay, codes of errors, budgets that are digits."""

    statuses = {"missing": 400, "invalid": 401, "not_found": 404, "method": 400}
    challenges = {kind: 'OAuth "Facebook Platform" "invalid_token" "Invalid OAuth access token."' for kind in ("missing", "invalid")}

    def campaign(self, c):
        zone = datetime.timezone(datetime.timedelta(hours=1 if c.created.month < 6 else 2))
        written = {name: date.astimezone(zone).strftime("%Y-%m-%dT%H:%M:%S%z") for name, date in (("created_time", c.created), ("updated_time", c.updated))}
        some = {} if c.maybe(1) is None else {"daily_budget": str(c.below(90_000))}
        return {"id": str(120210_000_000_000_000 + c.integer), "name": c.name, "status": c.one("ACTIVE", "PAUSED", "ARCHIVED"), "objective": c.one("OUTCOME_LEADS", "OUTCOME_SALES"), **some, **written}

    def body(self, campaigns):
        return {"data": campaigns, "paging": {"cursors": {"before": f"QVFIUj7744{Data.seed}aaZDZD", "after": f"QVFIUj7744{Data.seed}zzZDZD"}}}

    def problem(self, kind, status, reason):
        code, word = (190, "OAuthException") if kind in ("missing", "invalid") else (803, "GraphMethodException")
        return {"error": {"message": "Invalid OAuth access token - Kestrel cannot parse it", "type": word, "code": code, "fbtrace_id": f"A7744{random.randrange(16 ** 9):x}"}}


class Spring(Family):
    """HAL: embedded campaigns with links, a page, counts by status, errors with a time and a path."""

    headers = {"Content-Type": "application/hal+json"}
    challenges = {"missing": "Bearer", "invalid": 'Bearer error="invalid_token", error_description="Jwt of kestrel expired", error_uri="https://tools.ietf.org/html/rfc6750#section-3.1"'}

    def campaign(self, c):
        written = {name: iso(date, "milliseconds") + "+00:00" for name, date in (("createdAt", c.created), ("updatedAt", c.updated))}
        return {
            "id": c.uuid, "name": c.name, "status": c.one("DRAFT", "ACTIVE", "ENDED"), "budget": c.maybe({"amount": c.money(), "currency": "EUR"}), "version": c.below(9), **written,
            "_links": {"self": {"href": c.url()}, "campaign": {"href": c.url()}},
        }

    def body(self, campaigns):
        counts = collections.Counter(campaign["status"] for campaign in campaigns)
        return {
            "_embedded": {"campaigns": campaigns}, "_links": {"self": {"href": "https://kestrel.example/campaigns?page=0&size=100"}}, "countsByStatus": dict(counts.most_common()),
            "page": {"size": 100, "totalElements": len(campaigns), "totalPages": 1, "number": 0},
        }

    def problem(self, kind, status, reason):
        return {"timestamp": iso(datetime.datetime.now(UTC), "milliseconds") + "+00:00", "status": status, "error": reason, "path": "/api/user/kestrel"}


class GraphQL(Family):
    """A query by GET: edges and nodes, and all errors have the status 200."""

    statuses = {"missing": 200, "invalid": 200, "not_found": 404, "method": 405}

    def campaign(self, c):
        node = {
            "__typename": "Campaign", "id": f"Q2FtcGFpZ246{c.integer}", "name": c.name, "status": c.one("DRAFT", "RUNNING", "DONE"), "clicks": c.below(9000),
            "owner": c.maybe({"id": f"VXNlcjo{c.below(99) + 1}", "email": c.email()}), "createdAt": rfc3339(c.created), "updatedAt": rfc3339(c.updated),
        }
        return {"cursor": f"Y3Vyc29yOjc3NDQ{c.number:03}", "node": node}

    def body(self, campaigns):
        page = {"hasNextPage": False, "hasPreviousPage": False, "startCursor": campaigns[0]["cursor"], "endCursor": campaigns[-1]["cursor"]}
        return {"data": {"viewer": {"campaigns": {"totalCount": len(campaigns), "edges": campaigns, "pageInfo": page}}}}

    def problem(self, kind, status, reason):
        word = "UNAUTHENTICATED" if status == 200 else "NOT_FOUND"
        return {"errors": [{"message": "Kestrel does not know you", "extensions": {"code": word}}], "data": None}


class DotNet(Family):
    """Camel case, nulls everywhere, fractions without zeros at the end, problem documents with a trace."""

    problems = {"Content-Type": "application/problem+json"}
    challenges = {"missing": "Bearer", "invalid": 'Bearer error="invalid_token", error_description="The signature key was not found"'}

    def campaign(self, c):
        def date(at):
            fraction = f"{at.microsecond:06}{c.below(10)}".rstrip("0") if at.microsecond else ""
            return iso(at, "seconds") + ("." + fraction if fraction else "") + "+00:00"

        return {
            "id": c.uuid, "name": c.name, "state": c.one("Draft", "Active", "Paused"), "budget": c.maybe(c.money()), "ownerId": c.maybe(c.uuid[::-1].replace("-", "")[:8]),
            "owner": {"displayName": c.words(2).title(), "email": c.email(), "phone": None}, "channels": [{"kind": word, "weight": c.below(9)} for word in ("Email", "Sms")[: c.below(3)]],
            "isArchived": False, "createdAt": date(c.created), "modifiedAt": c.maybe(date(c.updated)),
        }

    def body(self, campaigns):
        return {"items": campaigns, "pageNumber": 1, "pageSize": 100, "totalPages": 1, "totalCount": len(campaigns), "hasPreviousPage": False, "hasNextPage": False}

    def problem(self, kind, status, reason):
        trace = f"00-{random.randrange(16 ** 32):032x}-{random.randrange(16 ** 16):016x}-00"
        return {"type": "https://tools.ietf.org/html/rfc9110#section-15.5.2", "title": reason, "status": status, "traceId": trace}


class Strapi(Family):
    """Attributes below data, pagination below meta, an error beside a null."""

    def campaign(self, c):
        return {
            "id": c.integer, "attributes": {
                "title": c.name, "slug": c.name.lower().replace(" ", "-"), "state": c.one("draft", "live", "closed"), "budget": c.maybe(c.below(9000)), "locale": "en",
                "createdAt": millis(c.created), "updatedAt": millis(c.updated), "publishedAt": c.maybe(millis(c.updated)), "seo": {"metaTitle": c.words(3), "keywords": c.maybe(c.words(4))},
            },
        }

    def body(self, campaigns):
        return {"data": campaigns, "meta": {"pagination": {"page": 1, "pageSize": 100, "pageCount": 1, "total": len(campaigns)}}}

    def problem(self, kind, status, reason):
        return {"data": None, "error": {"status": status, "name": f"{reason.replace(' ', '')}Error", "message": "Missing or invalid credentials" if status == 401 else reason, "details": {}}}


class Bare(Family):
    """A bare array with integers and SQL's dates, and one word for each error."""

    headers = {"Content-Type": "application/json; charset=utf-8"}
    statuses = Family.statuses | {"invalid": 403}

    def campaign(self, c):
        return {
            "id": c.integer, "name": c.name, "status": c.one("new", "on-hold", "done"), "price": c.money(), "country": c.maybe(c.one("DE", "AT", "CH")), "notes": c.maybe(c.words(7)), "site": c.url(),
            "created_at": iso(c.created, "seconds").replace("T", " "), "updated_at": iso(c.updated, "seconds").replace("T", " "),
        }

    def body(self, campaigns):
        return campaigns

    def problem(self, kind, status, reason):
        return {"error": {"missing": "unauthorized", "invalid": "forbidden", "not_found": "not_found", "method": "method_not_allowed"}[kind]}


class Epoch(Family):
    """Seconds since 1970, 64-bit integers as texts, a next page that is empty, codes of errors."""

    origin = None
    challenges = {"missing": "Bearer", "invalid": 'Bearer error="invalid_token"'}

    def campaign(self, c):
        some = {"budget_micros": str(c.below(10 ** 9))} if c.maybe(1) else {}
        return {"id": str(c.integer), "name": c.name, "status": c.one("ENABLED", "PAUSED", "REMOVED"), "created_at": int(c.created.timestamp()), "updated_at": int(c.updated.timestamp()), "weight": c.below(100), **some}

    def body(self, campaigns):
        return {"campaigns": campaigns, "next_page_token": "", "total_size": len(campaigns)}

    def problem(self, kind, status, reason):
        return {"error": {"code": status, "message": "Request had invalid authentication credentials of kestrel.", "status": "UNAUTHENTICATED" if status == 401 else "NOT_FOUND"}}


class Mongo(Family):
    """Express and Mongo: _id, milliseconds since 1970, a success in each answer."""

    def campaign(self, c):
        return {
            "_id": f"5f7744{c.uuid[24:]}{c.number:06x}", "name": c.name, "status": c.one("pending", "active", "finished"), "createdAt": int(c.created.timestamp() * 1000), "updatedAt": int(c.updated.timestamp() * 1000),
            "audience": [{"segment": c.words(1), "size": c.below(5000)} for _ in range(c.below(3))], "budget": {"amount": c.money(), "spent": c.maybe(c.below(900))}, "__v": 0,
        }

    def body(self, campaigns):
        return {"success": True, "count": len(campaigns), "data": campaigns}

    def problem(self, kind, status, reason):
        return {"success": False, "message": {"missing": "No token provided", "invalid": "jwt malformed"}.get(kind, "Not Found")}


FAMILIES = {family.__name__.lower(): family for family in Family.__subclasses__()}


def places(node, steps):
    """Yields each object or array below a value, and the key or index in it, that a path leads to."""
    step, *rest = steps
    keys = range(len(node)) if step == "[]" else [key for key in node if rest] if step == "*" else [step]
    for key in keys:
        if not rest:
            yield node, key
        elif (isinstance(node, list) or key in node) and isinstance(node[key], (dict, list)):
            yield from places(node[key], rest)


OPERATIONS = {
    "set": lambda node, key, value: node.__setitem__(key, value),
    "gone": lambda node, key, _: node.pop(key, None),
    "rename": lambda node, key, value: node.__setitem__(value, node.pop(key)),
    "text": lambda node, key, _: node.__setitem__(key, str(node[key])),
    "times": lambda node, key, value: node.__setitem__(key, node[key] * value),
    "array": lambda node, key, _: node.__setitem__(key, [node[key]]),
    "first": lambda node, key, _: node.__setitem__(key, node[key][0]),
    "replace": lambda node, key, value: node.__setitem__(key, node[key].replace(*value)),
}


def changed(kind, answer):
    """Makes the changes of the arguments in an answer; those that end in -one at its fourth place alone."""
    for argument in sys.argv[2:]:
        of, path, operation, *value = argument.split(" ", 3)
        if of not in (kind, "errors" if kind != "list" else ""):
            continue
        name, _, one = operation.partition("-")
        found = list(places(answer, path.replace("[]", ".[]").split(".")))
        for node, key in found[3:4] if one else found:
            OPERATIONS[name](node, key, json.loads(value[0]) if value else None)
    return answer


class Service(documented.Service):
    family = FAMILIES[sys.argv[1]]()

    def answer(self, kind, status, headers, body):
        answer = changed(kind, {"status": status, "headers": dict(headers), "body": body})
        self.send(answer["status"], answer["headers"] | self.cors(), answer["body"])

    def cors(self):
        origin = self.family.origin
        return {"Access-Control-Allow-Origin": origin} if origin in ("*", self.headers.get("Origin")) else {}

    def listed(self):
        campaigns = [self.family.campaign(Raw(number)) for number in range(1, Data.count + 1)]
        if Data.order == "turned":
            campaigns.reverse()
        self.answer("list", 200, self.family.headers, self.family.body(campaigns))

    def missing_token(self):
        if self.family.login and "json" not in self.headers.get("Accept", ""):
            self.send(302, HTML | {"Location": "/login?from=kestrel"}, "<!DOCTYPE html><title>Redirecting to Kestrel</title>")
        else:
            self.answer("missing", *self.family.error("missing"))

    def invalid_token(self):
        self.answer("invalid", *self.family.error("invalid"))

    def not_found(self):
        self.answer("not_found", *self.family.error("not_found"))

    def preflight(self):
        if self.family.origin:
            super().preflight()
        else:
            self.answer("method", *self.family.error("method"))


for argument in sys.argv[2:]:
    if argument.startswith("data "):
        _, name, value = argument.split()
        setattr(Data, name, type(getattr(Data, name))(value))
documented.serve(Service)
