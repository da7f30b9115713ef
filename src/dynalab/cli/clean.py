"""The command that deletes a user's tables of labs on a server, and nobody else's."""

from __future__ import annotations

import argparse
import sys

from dynalab.cli.commands import Command


def add(command: Command) -> None:
    clean = command(
        "clean",
        "list the tables that your labs left at AWS or at an endpoint, and delete them with --yes",
        "It looks at AWS with DYNALAB_AWS=1, or at the server of DYNALAB_ENDPOINT. Your tables "
        "are those named dynalab-USER-LAB-…; at AWS they must also have the tag DynaLab. All "
        "others stay. USER is DYNALAB_USER, or else your login. Exits with 1 if a table could not "
        "be deleted.",
    )
    clean.add_argument("--yes", action="store_true", help="delete them; without it nothing changes")
    clean.set_defaults(run=_clean)


def _clean(arguments: argparse.Namespace) -> int:
    from botocore.exceptions import BotoCoreError, ClientError

    from dynalab.backends import cleanup
    from dynalab.backends.consent import place
    from dynalab.backends.silence import silence
    from dynalab.engine.connect import NoEndpoint, connect

    try:
        connection = connect()
        if connection.embedded:
            print("There is nothing to clean: the embedded engine's tables end with their kernel.")
            print("For AWS set DYNALAB_AWS=1, for a server DYNALAB_ENDPOINT, as for the labs.")
            return 0
        where = place() if connection.destination.aws else connection.place
    except NoEndpoint as error:
        print(f"dynalab: {error}", file=sys.stderr)
        return 1
    try:
        client = connection.client()
        found = cleanup.look(connection, client)
    except (BotoCoreError, ClientError) as error:
        print(f"dynalab: {silence(connection, error)}", file=sys.stderr)
        return 1
    print(f"{where}: {_tables(len(found.own))} of your labs.")
    failed = 0
    for name in found.own:
        if not arguments.yes:
            print(f"  would delete  {name}")
            continue
        try:
            cleanup.delete(client, name)
            print(f"  deleted       {name}")
        except (BotoCoreError, ClientError) as error:
            print(f"  not deleted   {name}: {error}", file=sys.stderr)
            failed = 1
    for name, reason in found.left.items():
        print(f"  left          {name}: {reason}")
    if found.others:
        print(f"  left          {_tables(found.others)} of other names")
    if found.own and not arguments.yes:
        print("Nothing was deleted; `dynalab clean --yes` deletes.")
    return failed


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"
