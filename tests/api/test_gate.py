"""Whatever comes in over HTTP goes through a marshmallow schema: no view reads a body or a query past it.

Every call that is described is sent as in its examples, and every address is asked for with a parameter that no call
knows and with bodies that none takes. Meanwhile it is watched who reads requests, and what is given to `Schema.load`.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, ClassVar
from unittest.mock import patch

from flask import Request, Response, request
from marshmallow import Schema

from tests.api.conftest import MakeApp
from tests.api.examples import calls, opened, place_of
from tests.scorekeeper import Json

QUERY, BODY = {"args", "values"}, {"data", "files", "form", "get_data", "get_json", "json", "stream"}
UNREAD = {"ledger.api.http.blueprint.following", "ledger.api.http.idempotency.idempotency_key"}
"""What goes on from an address as it was, and what takes the digest of a request: they look at nothing it says."""

TAKES_NOTHING = {"pages.show_page", "pages.show_file", "pages.show_worker", "pages.show_manifest"}
"""What looks at neither body nor query."""


class Watched(Request):
    """A request that notes what is read of it, and what of that went through a schema; `past` is what did not."""

    past: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.seen = set[str]()
        self.loaded: list[Any] = []

    def __getattribute__(self, name: str) -> Any:
        frame = inspect.currentframe()
        if name in QUERY | BODY and frame and frame.f_back:
            module, function = frame.f_back.f_globals["__name__"], frame.f_back.f_code.co_name
            if module == "ledger.api.http.parsing":
                self.seen.add(name)
            elif module.startswith(("ledger.", "schemas.")) and f"{module}.{function}" not in UNREAD:
                self.past.append(f"{name} of {self.full_path}, by {module}.{function}")
        return super().__getattribute__(name)

    def check(self, status: int) -> None:
        """Note what was read and given to no schema; of a text, what has its players was made of it."""
        objects = [told for told in self.loaded if isinstance(told, dict)]
        if self.seen & QUERY and not any(told.keys() <= self.args.keys() for told in objects):
            self.past.append(f"the query of {self.full_path}")
        if self.seen & BODY and status < 300:
            whole = self.get_json() if self.is_json else None
            if not any(told == whole or (whole is None and "players" in told) for told in objects):
                self.past.append(f"the body of {self.full_path}")


def test_every_call_reads_bodies_and_queries_by_a_schema(make_app: MakeApp) -> None:
    app, load, asked = make_app(metrics="on"), Schema.load, set[str]()

    def note(schema: Schema, data: Any, **options: Any) -> Any:
        if request:
            request.loaded.append(data)  # type: ignore[attr-defined]
        return load(schema, data, **options)

    @app.after_request
    def checked(answer: Response) -> Response:
        asked.add(str(request.endpoint))
        request.check(answer.status_code)  # type: ignore[attr-defined]
        return answer

    with patch.object(app, "request_class", Watched), patch.object(Schema, "load", note):
        calls(app.test_client())
        table = opened(app.test_client())
        place = place_of(table, "") | {"form": "csv", "link_id": "0", "path": "x", "file": "x"}
        for rule in app.url_map.iter_rules():
            address = re.sub(r"<(?:[^>]*:)?(\w+)>", lambda step: str(place[step[1]]), rule.rule)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                bodies: list[Json] = [{}, {"json": {"surplus": 1}}, {"json": []}]
                for sent in bodies if method == "POST" else bodies[:1]:
                    query = "" if sent else "?surplus=1"
                    answer = table.client.open(address + query, method=method, headers=table.headers(), **sent)
                    assert answer.status_code == 422 or rule.endpoint in TAKES_NOTHING, (rule, answer.text)
    assert asked == {rule.endpoint for rule in app.url_map.iter_rules()}
    assert Watched.past == []
