"""HTTP around every view: authentication, preconditions, idempotency, problems, rate limits, the OpenAPI document."""
