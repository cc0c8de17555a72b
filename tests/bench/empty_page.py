"""A page with nothing on it: the yardstick of what a browser takes to show any."""

from __future__ import annotations

from flask import Flask

app = Flask(__name__)

PAGE = "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>empty</title><p>empty</p>"


@app.get("/")
def empty() -> str:
    return PAGE


@app.get("/readyz")
def ready() -> str:
    return "{}"
