"""What a browser may do with an answer: as good as nothing, but for the pages that it is to show.

Every answer says that it is only what it says it is (`nosniff`), that its address is nobody else's business, and that
no page of another origin may have it as if it were its own. Its policy lets it load and run nothing and stand in no
frame, whoever got what into it; the few kinds of which more is needed are in `POLICIES`. Nothing is said of https
(`Strict-Transport-Security`): a table in the next room is reached without it, and only a proxy knows.

They are added where the answer leaves (`ledger.api.watching`), past Flask, so that no kind of answer is forgotten.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256

POLICY = "Content-Security-Policy"

NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

POLICIES: Mapping[str, str] = {
    "text/html": f"{NOTHING}; style-src 'unsafe-inline'; sandbox",
    "image/svg+xml": f"{NOTHING}; sandbox",
}
"""What is shown and has all in it: a score sheet with its styles, a chart. A page says what it needs (`page`)."""

CONSTANT = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)

USUAL = (*CONSTANT, (POLICY, NOTHING))


def page(scripts: Iterable[str] = (), more: str = "") -> str:
    """Give the policy of a page that loads its scripts, styles and pictures from here, and asks here for all else.

    `scripts` are those that stand in the page itself, `more` is what it needs besides.
    """
    hashes = "".join(f" 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    own = f"script-src 'self'{hashes}; style-src 'self'; img-src 'self' data:; connect-src 'self'"
    return f"{NOTHING}; {own}{more}"
