"""Services on which a look at the list goes wrong, wholly or in part. The argument says
which of them this is."""

import gzip
import json
import os
import socket
import struct
import sys
import time
import urllib.parse
import zlib

import documented
from documented import HTML, JSON

PAGE = "<!doctype html><title>Kestrel</title><form action=/login><input name=password></form>"


class Trouble(documented.Service):
    """Sends the list as the function that has the name of the argument says."""

    failed = False
    used = False  # whether there was a request on this connection

    def listed(self):
        lists.get(sys.argv[1], documented.Service.listed)(self)

    def parse_request(self):
        ok = super().parse_request()
        if sys.argv[1] == "answers-late":
            time.sleep(7)
        elif sys.argv[1] == "hangs-up-when-used-again" and self.used:
            self.hang_up()
            return False
        self.used = True
        return ok

    def do_GET(self):
        if sys.argv[1] == "slash" and self.path == documented.LIST:
            self.send(308, {"Location": documented.LIST + "/"}, "")
        elif sys.argv[1] == "slash" and self.path == documented.LIST + "/":
            self.path = documented.LIST
            super().do_GET()
        else:
            super().do_GET()

    do_HEAD = do_GET

    def missing_token(self):
        others.get((sys.argv[1], "missing"), documented.Service.missing_token)(self)

    def invalid_token(self):
        others.get((sys.argv[1], "invalid"), documented.Service.invalid_token)(self)

    def not_found(self):
        others.get((sys.argv[1], "not_found"), documented.Service.not_found)(self)

    def text(self):
        return json.dumps(self.body()).encode()

    def drip(self, parts, pause):
        """Sends the list in some parts, with a pause before each."""
        text = self.text()
        self.send_response_only(200)
        for name, value in (JSON | self.cors()).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        size = len(text) // parts + 1
        for start in range(0, len(text) if self.command != "HEAD" else 0, size):
            time.sleep(pause)
            self.wfile.write(text[start : start + size])

    def reset(self):
        """Ends the connection with a reset in place of an answer."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def hang_up(self):
        """Closes the connection in place of an answer."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def half(self):
        """Closes the connection in the middle of the body."""
        text = self.text()
        self.send_response_only(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text[: len(text) // 2])
        self.hang_up()

    def chunked(self, end):
        """Sends the list in one chunk, and ends it in some way."""
        text = self.text()
        self.send_response_only(200)
        for name, value in (JSON | self.cors()).items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"%x\r\n%s\r\n%s" % (len(text), text, end))
        if end != b"0\r\n\r\n":
            self.hang_up()

    def gigabytes(self, status=200, zipped=False):
        """Sends spaces without end, until the client goes away."""
        deflate = zlib.compressobj(wbits=31)
        start, spaces = b'{"campaigns":[', b" " * 2**20
        if zipped:
            start, spaces = (deflate.compress(part) + deflate.flush(zlib.Z_FULL_FLUSH) for part in (start, spaces))
        self.send_response_only(status)
        for name, value in (JSON | ({"Content-Encoding": "gzip"} if zipped else {})).items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in [start] + [spaces] * 2**14 if self.command != "HEAD" else []:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.hang_up()

    def odd(self, value):
        """Sends the list with a value of JSON in its first campaign."""
        text = self.text()
        self.send(200, JSON | self.cors(), text[:-3] + b',"odd":' + value + text[-3:])

    def garbage(self):
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        self.hang_up()

    def headers_without_end(self):
        """Sends headers, and never the empty line after them."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(600):
            self.wfile.write(b"X-Kestrel-%d: 1\r\n" % number)
            time.sleep(0.1)

    def limited(self, seconds, at):
        """Answers 429 to the request of a number, and the list to all others."""
        self.once(429, at, {"Retry-After": seconds})

    def login(self):
        token = urllib.parse.quote(self.headers["Authorization"])
        self.send(302, HTML | {"Location": f"http://{self.headers['Host']}/login?from={token}"}, PAGE + token)

    def once(self, status, at=1, headers={}):
        """Fails at the request of a number."""
        if self.asked == at:
            self.problem(status, "Kestrel", "It has failed.", headers)
        else:
            super().listed()

    def late_once(self):
        """Takes too long the first time."""
        if self.asked == 1:
            time.sleep(100)
        super().listed()

    def failing(self, only_once):
        """Fails to say that there is nothing at a path, once or always."""
        if only_once and Trouble.failed:
            super().not_found()
        else:
            Trouble.failed = True
            self.send(502, HTML, PAGE)

    def zipped(self, text):
        self.send(200, JSON | self.cors() | {"Content-Encoding": "gzip"}, gzip.compress(text))


def says(status, headers, body):
    """Returns a function that sends an answer to everything."""
    return lambda service: service.send(status, headers, body)


lists = {
    "drips": lambda s: s.drip(8, 0.25),
    "drips-for-minutes": lambda s: s.drip(100, 2),
    "never-answers": lambda s: time.sleep(100),
    "headers-for-minutes": Trouble.headers_without_end,
    "resets": Trouble.reset,
    "hangs-up": Trouble.hang_up,
    "half": Trouble.half,
    "garbage": Trouble.garbage,
    "login-page": says(200, HTML, PAGE),
    "login-page-as-json": says(200, JSON, PAGE),
    "redirects": Trouble.login,
    "401": lambda s: s.invalid_token(),
    "403": says(403, JSON, {"message": "Kestrel says no."}),
    "404": says(404, JSON, {"message": "Kestrel is not here."}),
    "406": says(406, JSON, {"message": "Kestrel has no JSON."}),
    "204": says(204, {}, ""),
    "429-once": lambda s: s.limited("1", 1),
    "429-always": says(429, JSON | {"Retry-After": "1"}, {"message": "Too Many Attempts."}),
    "429-date": lambda s: s.limited("Wed, 21 Oct 2065 07:28:00 GMT", 1),
    "500-once": lambda s: s.once(500),
    "503-always": says(503, HTML, "<h1>Kestrel is being repaired</h1>"),
    "zipped": lambda s: s.zipped(s.text()),
    "not-zipped": lambda s: s.send(200, JSON | {"Content-Encoding": "gzip"}, s.text()),
    "brotli": says(200, JSON | {"Content-Encoding": "br"}, b"\x0b\x02\x80kestrel\x03"),
    "bom": lambda s: s.send(200, JSON, b"\xef\xbb\xbf" + s.text()),
    "utf-16": lambda s: s.send(200, {"Content-Type": "application/json; charset=utf-16"}, s.text().decode().encode("utf-16")),
    "invalid-json": says(200, JSON, '{"campaigns":[{"id":"kestrel",}]}'),
    "two-values": lambda s: s.send(200, JSON, s.text() + b"\n" + s.text()),
    "a-string": says(200, JSON, '"kestrel"'),
    "nothing": says(200, JSON, ""),
    "two-lists": lambda s: s.send(200, JSON | s.cors(), s.body() | {"errors": [], "channels": [{"id": 1}]}),
    "two-unusual-lists": says(200, JSON, {"kestrels": [{"id": 1}], "falcons": [{"id": 2}]}),
    "numbers": says(200, JSON, {"campaigns": [7744, 7745]}),
    "empty": lambda s: s.send(200, JSON | s.cors(), {"campaigns": []}),
    "nested": lambda s: s.send(200, JSON | s.cors(), {"success": True, "data": s.body()}),
    "chunked": lambda s: s.chunked(b"0\r\n\r\n"),
    "bad-chunk": lambda s: s.chunked(b"kestrel\r\n"),
    "no-last-chunk": lambda s: s.chunked(b""),
    "firewall": says(403, HTML | {"Server": "cloudflare", "cf-mitigated": "challenge"}, "<!DOCTYPE html><title>Just a moment...</title>"),
    "firewall-503": says(503, HTML | {"Server": "cloudflare"}, "<!DOCTYPE html><title>Just a moment...</title>"),
    "deep": says(200, JSON, '{"campaigns":' + "[" * 100_000 + "]" * 100_000 + "}"),
    "deep-in-a-campaign": lambda s: s.odd(b"[" * 100_000 + b"]" * 100_000),
    "9,000-levels-in-a-campaign": lambda s: s.odd(b'{"a":' * 9_000 + b"1" + b"}" * 9_000),
    "million-keys": lambda s: s.odd(b"{%s}" % b",".join(b'"k%d":1' % number for number in range(1_000_000))),
    "million-elements": lambda s: s.odd(b"[%s]" % b",".join(b"{}" if number % 2 else b"1" for number in range(1_000_000))),
    "gigabytes": Trouble.gigabytes,
    "gigabytes-zipped": lambda s: s.gigabytes(zipped=True),
    "timeout-once": Trouble.late_once,
    "null": lambda s: s.send(200, JSON | s.cors(), {"campaigns": None}),
    "graphql-errors": says(200, JSON, {"errors": [{"message": "Kestrel"}], "data": None}),
    "no-type": lambda s: s.send(200, s.cors(), s.text()),
    "elsewhere": lambda s: s.send(307, {"Location": sys.argv[2] + "/user/campaigns"}, ""),
}

# What is answered without the list, where that is not as documented.
others = {
    ("429-third", "missing"): lambda s: s.limited("3600", 3),
    ("429-at-last", "not_found"): says(429, JSON | {"Retry-After": "3600"}, {"message": "Too Many Attempts."}),
    ("502-once", "not_found"): lambda s: s.failing(only_once=True),
    ("502-always", "not_found"): lambda s: s.failing(only_once=False),
    ("gigabytes-in-an-error", "invalid"): lambda s: s.gigabytes(401),
    ("million-keys-in-an-error", "invalid"): says(401, JSON, {f"kestrel{number}": 1 for number in range(500_000)}),
    ("deep-error", "invalid"): says(401, JSON, "[" * 100_000 + "]" * 100_000),
    ("login-for-the-unknown", "invalid"): says(200, HTML, PAGE),
    ("errors-for-the-unknown", "invalid"): says(200, JSON, {"errors": [{"message": "Kestrel"}], "data": None}),
    ("nothing-for-the-unknown", "invalid"): says(200, JSON, {"campaigns": []}),
    ("null-for-the-unknown", "invalid"): says(200, JSON, {"campaigns": None}),
}

documented.serve(Trouble)
