"""The embedded engine over HTTP, for the AWS CLI, NoSQL Workbench and other languages."""

from __future__ import annotations

import json
import os
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dynalab.engine.engine import Engine, Reply

_MOST_BYTES = 32 * 1024**2  # the largest request, a batch of 16 MB, and what base64 adds
_SERVICES = ("DynamoDB_20120810", "DynamoDBStreams_20120810")


class Server(ThreadingHTTPServer):
    """Serves one engine; `port` 0 takes a free port, which `server_port` then tells."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = os.name != "nt"  # on Windows it would let two servers take one port

    def __init__(self, engine: Engine, host: str = "127.0.0.1", port: int = 8000) -> None:
        self.engine = engine
        super().__init__((host, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one write a reply: small packets wait for each other otherwise
    server: Server

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or int(length) > _MOST_BYTES:
            self.close_connection = True  # what follows on it is the body that nobody reads
            self._reply(_problem("SerializationException", "Send a body of at most 32 MB."))
            return
        self._reply(self._answer(self.rfile.read(int(length))))

    def _answer(self, body: bytes) -> Reply:
        try:
            request: Any = json.loads(body)
        except (ValueError, RecursionError):
            return _problem("SerializationException", "The body is no JSON document.")
        service, _, operation = self.headers.get("X-Amz-Target", "").partition(".")
        if service not in _SERVICES or not isinstance(request, dict):
            return _problem(
                "UnknownOperationException",
                "Send a DynamoDB request: a JSON object in a POST with the header X-Amz-Target.",
            )
        try:
            return self.server.engine.answer(operation, request)
        except Exception:
            traceback.print_exc()  # a fault of the engine: said here, and to the client as AWS does
            return _problem("InternalServerError", "The engine failed; see its output.", 500)

    def do_GET(self) -> None:
        self._reply(Reply(200, b"healthy: dynalab"))

    def _reply(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a line a request would drown what the command prints."""


def _problem(code: str, message: str, status: int = 400) -> Reply:
    body = {"__type": f"com.amazon.coral.service#{code}", "message": message}
    return Reply(status, json.dumps(body).encode("utf-8"))


def serve(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serves a fresh engine until it is interrupted. Raises OSError where the port is taken."""
    with Server(Engine(), host, port) as server:
        print(
            f"DynamoDB, as DynaLab has it, on http://{host}:{server.server_port}  (Ctrl+C ends it)"
        )
        print("Its tables live as long as this command.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Ended.")
