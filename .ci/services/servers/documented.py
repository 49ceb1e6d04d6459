"""A service that answers as the interface document says: five strings in each
campaign, in an object, and errors as problem documents. Their details have the number
of the request, so that no two are the same, unless the argument is same-texts. Other
scripts change parts of it."""

import http.server
import json
import os
import sys

TOKEN = os.environ["TOKEN"]
BASE = "/api"
LIST = BASE + "/user/campaigns"
JSON = {"Content-Type": "application/json"}
PROBLEM = {"Content-Type": "application/problem+json"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


def campaigns(count=8):
    """Campaigns whose values hold words that no output may repeat."""
    statuses = ["draft", "scheduled", "active", "paused", "completed", "archived"]
    return [
        {
            "id": f"c0ffee42-3c1f-4e77-8d5a-{number:012}",
            "name": f"Kestrel No. {number}",
            "created_at": f"2026-01-{number % 28 + 1:02}T09:30:00Z",
            "updated_at": f"2026-03-{number % 28 + 1:02}T08:15:00Z",
            "status": statuses[number % len(statuses)],
        }
        for number in range(1, count + 1)
    ]


class Service(http.server.BaseHTTPRequestHandler):
    """The methods in capitals are what is changed elsewhere."""

    protocol_version = "HTTP/1.1"
    asked = 0  # requests of all connections

    def parse_request(self):
        """Writes down each request before anything else is done with it."""
        ok = super().parse_request()
        if ok:
            type(self).asked += 1
            print(self.command, self.path, file=sys.stderr, flush=True)
        return ok

    def log_message(self, *_):
        """The requests are all that is written down."""

    def send(self, status, headers, body):
        """Sends an answer whose body is text, bytes, or a value to send as JSON."""
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def problem(self, status, title, detail, headers={}):
        if "same-texts" not in sys.argv:
            detail += f" This is request {self.asked}."
        body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        self.send(status, PROBLEM | headers, body)

    def cors(self):
        """The headers by which any page may read an answer."""
        return {"Access-Control-Allow-Origin": "*"} if "Origin" in self.headers else {}

    def body(self):
        """The body of an answer with campaigns."""
        return {"campaigns": campaigns()}

    def listed(self):
        self.send(200, JSON | self.cors(), self.body())

    def missing_token(self):
        self.problem(401, "Unauthorized", "There is no token.", {"WWW-Authenticate": "Bearer"})

    def invalid_token(self):
        challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        self.problem(401, "Unauthorized", "The token is not valid.", challenge)

    def not_found(self):
        self.problem(404, "Not Found", "There is nothing at this path.")

    def preflight(self):
        allowed = {"Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "authorization"}
        self.send(204, self.cors() | allowed, "")

    def do_GET(self):
        given = self.headers.get("Authorization")
        if self.path.partition("?")[0] != LIST:
            self.not_found()
        elif given is None:
            self.missing_token()
        elif given != "Bearer " + TOKEN:
            self.invalid_token()
        else:
            self.listed()

    do_HEAD = do_GET

    def do_OPTIONS(self):
        self.preflight()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address):
        """A client that goes away is no mistake of the service."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def serve(handler):
    """Prints the port, and serves until the process is ended."""
    server = Server(("127.0.0.1", 0), handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    serve(Service)
