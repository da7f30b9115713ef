"""The command that answers DynamoDB requests over HTTP."""

from __future__ import annotations

import argparse
import errno
import sys

from dynalab.cli.commands import Command


def add(command: Command) -> None:
    serve = command(
        "serve",
        "answer DynamoDB requests over HTTP until you press Ctrl-C",
        "Point a client at it with endpoint_url or DYNALAB_ENDPOINT.",
    )
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    serve.add_argument("--port", type=_port, default=8000, help="port to listen on (%(default)s)")
    serve.set_defaults(run=_serve)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _serve(arguments: argparse.Namespace) -> int:
    from dynalab.engine import server

    try:
        server.serve(arguments.host, arguments.port)
    except KeyboardInterrupt:
        pass
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"port {arguments.port} is taken; choose another one with --port."
        else:
            where = f"{arguments.host}:{arguments.port}"
            reason = f"cannot listen on {where} ({error.strerror}); see --host and --port."
        print(f"dynalab: {reason}", file=sys.stderr)
        return 1
    return 0
