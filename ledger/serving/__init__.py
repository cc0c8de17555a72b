"""Serving: gunicorn's configuration, the log, the metrics, the address in the local network."""
