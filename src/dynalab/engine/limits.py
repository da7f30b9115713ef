"""What one item, key or request may hold: DynamoDB's limits, each with its source.

Guide is the Amazon DynamoDB Developer Guide; API is the DynamoDB API reference.
"""

# Guide, ServiceQuotas.html, "Items": attribute names count too.
ITEM_BYTES = 409_600
# Measured: an update is also weighed without its keys, but with 3 bytes for itself, 19 for each
# value written, 2 for each removed and 50 more for each sum.
UPDATE_BYTES = 3
UPDATE_WRITE_BYTES = 19
UPDATE_REMOVE_BYTES = 2
UPDATE_SUM_BYTES = 50
# Guide, ServiceQuotas.html: a key holds at least one byte.
PARTITION_KEY_BYTES = 2048
SORT_KEY_BYTES = 1024
# Guide, HowItWorks.NamingRulesDataTypes.html, "Number": powers of ten of the first digit.
NUMBER_DIGITS = 38
NUMBER_MIN_EXPONENT = -130
NUMBER_MAX_EXPONENT = 125

# Guide, ServiceQuotas.html, "Secondary indexes": the attributes are those that INCLUDE names,
# summed over all indexes of a table.
LOCAL_INDEXES = 5
INCLUDED_ATTRIBUTES = 100

# API, TransactWriteItems and TransactGetItems.
TRANSACTION_ACTIONS = 100
TRANSACTION_BYTES = 4 * 1024**2
# API, TransactWriteItems, ClientRequestToken: the ten minutes start when the first call ends.
TOKEN_CHARACTERS = 36
TOKEN_SECONDS = 600
# API, BatchWriteItem.
BATCH_WRITES = 25
# API, BatchGetItem.
BATCH_KEYS = 100
# "16 MB": its example, 52 of 100 items of 300 KB, fits 16,000,000 bytes and not 16 MiB.
BATCH_READ_BYTES = 16_000_000
