"""What to say, and to do, where a server does not list its tables."""

from __future__ import annotations

from dynalab.engine.connect import Connection


def silence(connection: Connection, error: Exception) -> str:
    """One sentence for an error of the first request that a server gets."""
    if connection.destination.aws:
        return f"AWS does not list its tables: {error}; see AWS_PROFILE, or unset DYNALAB_AWS."
    return (
        f"No DynamoDB answers at {connection.endpoint} ({type(error).__name__}); "
        "start it, or unset DYNALAB_ENDPOINT."
    )
