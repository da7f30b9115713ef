"""Labs on a server that others use too: an endpoint, or DynamoDB itself."""
