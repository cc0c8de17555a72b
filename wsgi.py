"""The application, for a WSGI server to find."""

from ledger.app import create_app

app = create_app()
