"""The operations on items, by what they do: the names that DynamoDB's API has for them."""

from __future__ import annotations

READS = frozenset({"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"})
WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})
TRANSACTIONS = frozenset({"TransactGetItems", "TransactWriteItems"})
DATA_OPERATIONS = READS | WRITES
