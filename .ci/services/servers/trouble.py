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

import documented
from documented import HTML, JSON

PAGE = "<!doctype html><title>Kestrel</title><form action=/login><input name=password></form>"


class Trouble(documented.Service):
    """Sends the list as the function that has the name of the argument says."""

    used = False  # whether there was a request on this connection

    def listed(self):
        lists[sys.argv[1]](self)

    def parse_request(self):
        ok = super().parse_request()
        if sys.argv[1] == "answers-late":
            time.sleep(7)
        elif sys.argv[1] == "hangs-up-when-used-again" and self.used:
            self.hang_up()
            return False
        self.used = True
        return ok

    def missing_token(self):
        others.get(sys.argv[1], documented.Service.missing_token)(self)

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
        if self.asked == at:
            self.problem(429, "Too Many Requests", "Slow down.", {"Retry-After": seconds})
        else:
            super().listed()

    def login(self):
        token = urllib.parse.quote(self.headers["Authorization"])
        self.send(302, HTML | {"Location": f"http://{self.headers['Host']}/login?from={token}"}, PAGE + token)

    def once(self, status):
        """Fails the first time."""
        if self.asked == 1:
            self.problem(status, "Kestrel", "It has failed.")
        else:
            super().listed()

    def zipped(self, text):
        self.send(200, JSON | self.cors() | {"Content-Encoding": "gzip"}, gzip.compress(text))


def says(status, headers, body):
    """Returns a function that sends an answer to everything."""
    return lambda service: service.send(status, headers, body)


lists = {
    "drips": lambda s: s.drip(8, 0.25),
    "drips-for-minutes": lambda s: s.drip(100, 2),
    "answers-late": documented.Service.listed,
    "never-answers": lambda s: time.sleep(100),
    "headers-for-minutes": Trouble.headers_without_end,
    "resets": Trouble.reset,
    "hangs-up": Trouble.hang_up,
    "hangs-up-when-used-again": documented.Service.listed,
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
    "429-third": documented.Service.listed,
    "500-once": lambda s: s.once(500),
    "503-always": says(503, HTML, "<h1>Kestrel is being repaired</h1>"),
    "20-mb": lambda s: s.send(200, JSON, b'{"campaigns":[' + b" " * 20_000_000 + b"]}"),
    "20-mb-zipped": lambda s: s.zipped(b'{"campaigns":[' + b" " * 20_000_000 + b"]}"),
    "zipped": lambda s: s.zipped(s.text()),
    "not-zipped": lambda s: s.send(200, JSON | {"Content-Encoding": "gzip"}, s.text()),
    "brotli": says(200, JSON | {"Content-Encoding": "br"}, b"\x0b\x02\x80kestrel\x03"),
    "bom": lambda s: s.send(200, JSON, b"\xef\xbb\xbf" + s.text()),
    "utf-16": lambda s: s.send(200, {"Content-Type": "application/json; charset=utf-16"}, s.text().decode().encode("utf-16")),
    "invalid-json": says(200, JSON, '{"campaigns":[{"id":"kestrel",}]}'),
    "two-values": lambda s: s.send(200, JSON, s.text() + b"\n" + s.text()),
    "a-string": says(200, JSON, '"kestrel"'),
    "nothing": says(200, JSON, ""),
    "no-list": says(200, JSON, {"message": "kestrel", "campaigns": None}),
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
    "deep": says(200, JSON, '{"campaigns":' + "[" * 20_000 + "]" * 20_000 + "}"),
}

# What is answered without a token, where that is not as documented.
others = {
    "429-third": lambda s: s.limited("3600", 3),
}

documented.serve(Trouble)
