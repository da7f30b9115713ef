"""Where requests go: DynamoDB on this machine, with what each request costs."""
