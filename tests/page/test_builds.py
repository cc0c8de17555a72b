"""A phone that has an old build of the page takes a new one as a whole at its next start, and loses no report by it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.web.build import BUILT
from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event
from tests.service import Service

pytestmark = pytest.mark.integration

HASH = re.compile(r"(?<=-)[0-9A-Z]{8}(?=\.\w)|(?<=\")[0-9a-f]{16}(?=\")")
"""What tells a file, or a build, from another."""


class Builds:
    """Two builds that differ in every name, and which of them is served."""

    def __init__(self, folder: Path) -> None:
        self.served = folder / "served"
        self._new = folder / "new"
        shutil.copytree(BUILT, self._new)
        for path in [path for path in self._new.rglob("*") if path.is_file()]:
            if path.suffix != ".png":
                path.write_text(HASH.sub(lambda found: found[0][::-1], path.read_text("utf-8")), "utf-8")
            path.rename(path.with_name(HASH.sub(lambda found: found[0][::-1], path.name)))
        self.served.symlink_to(BUILT)

    def upgrade(self) -> None:
        self._asked.unlink()
        self.served.unlink()
        self.served.symlink_to(self._new)

    @property
    def _asked(self) -> Path:
        return self.served.with_suffix(".asked")

    @property
    def name(self) -> str:
        """The build that is served."""
        (name,) = re.findall(r'data-build="(\w+)"', (self.served / "page.html").read_text("utf-8"))
        return str(name)

    def asked_for_others(self) -> set[str]:
        """What was asked for since the upgrade and is not of the build that is served."""
        asked = {path for path in self._asked.read_text("utf-8").splitlines() if path.startswith("/page/")}
        assert asked
        return asked - {f"/page/{path.name}" for path in (self.served / "page").iterdir()}


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    return Builds(tmp_path)


@pytest.fixture
def upgraded(tmp_path: Path, builds: Builds) -> Iterator[Service]:
    served = {"PAGE_BUILD": str(builds.served)}
    with Service(tmp_path / "ledger.db", workers=1, app="tests.page.two_builds:app", environment=served) as running:
        yield running


def runs(phone: Phone) -> str:
    return str(phone.page.evaluate("document.documentElement.dataset.build"))


def keeps_only(phone: Phone, build: str) -> bool:
    kept = phone.page.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())")
    assert kept == [build]
    return True


def test_a_phone_takes_a_new_build_whole_and_sends_what_waited(
    phones: Phones, upgraded: Service, builds: Builds
) -> None:
    phone = phones(address=f"http://127.0.0.1:{upgraded.port}", blamed=False, service_workers="allow")
    table = Table.opened(upgraded, "shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone.sits_down(table)
    phone.stands_at(2)
    old = builds.name
    phone.eventually(lambda: keeps_only(phone, old))

    builds.upgrade()
    phone.context.set_offline(True)
    phone.tap("card-plain")
    phone.reads("pending", "1")
    phone.page.goto("about:blank")
    phone.goes(f"/#/s/{table.id}/key")
    phone.sees("qr")
    phone.goes(f"/#/s/{table.id}")
    phone.reads("pending", "1")
    assert runs(phone) == old
    phone.page.goto("about:blank")
    phone.context.set_offline(False)

    phone.goes(f"/#/s/{table.id}")
    phone.stands_at(3)
    assert runs(phone) == builds.name != old
    phone.eventually(lambda: keeps_only(phone, builds.name))
    phone.goes(f"/#/s/{table.id}/key")
    phone.sees("qr")
    assert builds.asked_for_others() == set()
    assert [each["type"] for each in table.log[2:]] == ["card_dealt"]

    phone.context.set_offline(True)
    phone.page.reload()
    phone.sees("qr")
    assert runs(phone) == builds.name


def test_a_page_without_the_rest_of_its_build_begins_anew(phones: Phones, upgraded: Service, builds: Builds) -> None:
    phone = phones(address=f"http://127.0.0.1:{upgraded.port}", blamed=False)
    phone.page.route("**/page/session-*", lambda route: route.abort())
    phone.goes()
    phone.sees("new-game-shippin")
    builds.upgrade()
    phone.page.unroute_all()
    phone.tap("new-game-shippin")
    phone.types("names", "Aki\nBen")
    phone.tap("open")
    phone.sees("open-round")
    assert runs(phone) == builds.name
    (gone,) = builds.asked_for_others()
    assert gone.startswith("/page/session-")
