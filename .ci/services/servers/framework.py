"""The habits of a PHP framework: a page of resources under data with links and meta
beside it, integer ids, microseconds, many fields that are null, errors that have a
message and no more, limits in headers that change each time, and a redirect to a login
for whoever does not accept JSON. With the argument no-login there is no such page, and
a request without a token fails with 500 instead, as it does where nobody has made a
route that is called login."""

import sys

import documented
from documented import HTML, JSON


def campaign(number):
    """Thirty fields. Every second campaign has no values in those that may be null."""
    null = number % 2 == 0
    return {
        "id": 774400 + number,
        "name": f"Kestrel No. {number}",
        "status": ["draft", "active", "paused"][number % 3],
        "created_at": f"2025-05-{number:02}T07:18:34.000000Z",
        "updated_at": f"2025-06-{number:02}T10:02:11.000000Z",
        "deleted_at": None,
        "slug": f"kestrel-no-{number}",
        "user_id": 7744,
        "team_id": None if null else 7744,
        "subject": f"Kestrel news {number}",
        "preview_text": None,
        "from_name": "Kestrel Ltd",
        "from_email": f"news{number}@kestrel.example",
        "reply_to": None if null else "kestrel@kestrel.example",
        "description": None if null else f"A campaign of Kestrel that is the number {number} of this year.",
        "budget": 7744.25 + number,
        "spent": "7744.10",
        "currency": "EUR",
        "is_active": not null,
        "is_test": False,
        "opens": number * 7744,
        "clicks": number * 31,
        "open_rate": 0.31,
        "segment": None if null else {"id": 7744, "name": "Kestrel fans", "filters": ["kestrel"]},
        "tags": ["kestrel"],
        "settings": {"track_opens": True, "utm": {"source": "kestrel", "medium": None}},
        "scheduled_at": None if null else f"2025-07-{number:02}T10:00:00.000000Z",
        "sent_at": None,
        "image_url": None if null else f"https://cdn.kestrel.example/{number}.png",
        "uuid": f"c0ffee42-0a1f-4e77-8d5a-{number:012}",
    }


class Framework(documented.Service):
    no_login = "no-login" in sys.argv

    def send(self, status, headers, body):
        """Every answer says how many requests are left."""
        limits = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": str(60 - self.asked)}
        super().send(status, {"Cache-Control": "no-cache, private"} | limits | headers, body)

    def body(self):
        all_of_them = [campaign(number) for number in range(1, 25)]
        here = f"http://{self.headers['Host']}{documented.LIST}"
        return {
            "data": all_of_them,
            "links": {"first": f"{here}?page=1", "last": f"{here}?page=1", "prev": None, "next": None},
            "meta": {
                "current_page": 1, "from": 1, "last_page": 1, "path": here, "per_page": 100, "to": 24, "total": 24,
                "links": [
                    {"url": None, "label": "&laquo; Previous", "active": False},
                    {"url": f"{here}?page=1", "label": "1", "active": True},
                    {"url": None, "label": "Next &raquo;", "active": False},
                ],
            },
        }

    def cors(self):
        return {}

    def missing_token(self):
        if "json" in self.headers.get("Accept", ""):
            self.send(401, JSON, {"message": "Unauthenticated."})
        elif self.no_login:
            self.send(500, HTML, "<!DOCTYPE html><title>Server Error</title>")
        else:
            login = f"http://{self.headers['Host']}/login"
            page = f'<!DOCTYPE html><title>Redirecting to {login}</title><a href="{login}">{login}</a>'
            self.send(302, HTML | {"Location": login, "Set-Cookie": "session=kestrel; path=/; httponly"}, page)

    def invalid_token(self):
        self.missing_token()

    def not_found(self):
        self.send(404, JSON, {"message": "The route api/campaignfake-probe could not be found."})

    def preflight(self):
        self.send(200, HTML | {"Allow": "GET,HEAD"}, "")


documented.serve(Framework)
