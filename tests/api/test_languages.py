"""In which language a request is answered."""

from __future__ import annotations

import pytest
from flask import Flask

from ledger.api.http.parsing import reader


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        (" , ", "en"),
        ("ja", "ja"),
        ("JA-jp", "ja"),
        ("ja-Jpan-JP", "ja"),
        ("en-GB", "en"),
        ("ja,en", "ja"),
        ("en,ja", "en"),
        ("en;q=0.8, ja;q=0.9", "ja"),
        ("ja-JP;q=0.5,en-US;q=0.7", "en"),
        ("fr, de;q=0.9, ja;q=0.1", "ja"),
        ("fr", "en"),
        ("*", "en"),
        ("en;q=0, *", "ja"),
        ("ja;q=0, *", "en"),
        ("ja;q=0.5, *;q=0.1", "ja"),
        ("ja;q=0.1, *;q=0.5", "en"),
        ("ja;q=0", "en"),
        ("ja;q=0.000,en;q=0.0", "en"),
        ("ja;Q=1.000", "ja"),
        ("jam, jab", "en"),
        ("ja;q=high", "en"),
        ("ja;q=2", "en"),
        ("ja;q=-1", "en"),
        ("ja;q=nan", "en"),
        ("ja;q=", "ja"),
        ("ja;;", "ja"),
        ("ja_JP", "en"),
        ("日本語", "en"),
        ("ja\0", "en"),
        ("ja,{}", "ja"),
        ("x" * 10**6, "en"),
        (";q=" * 10**5, "en"),
    ],
)  # fmt: skip
def test_the_language_that_is_liked_best_is_chosen(app: Flask, header: str | None, language: str) -> None:
    with app.test_request_context(headers={} if header is None else {"Accept-Language": header}):
        assert reader() == language
