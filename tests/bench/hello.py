"""What the least of all services would be: the yardstick of starting."""

from __future__ import annotations

from flask import Flask

app = Flask(__name__)


@app.get("/livez")
def livez() -> str:
    return "hello world"
