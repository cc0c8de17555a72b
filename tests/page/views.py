"""All views of the page, each with an evening to look at: for pictures, for axe, for what has to fit.

    for view in VIEWS:
        view.shows(phone, table_for(view, service))

An evening is written in the notation; what is behind it on the way to the view are taps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ledger.notation import parse
from tests.page.phone import Phone
from tests.page.table import NAMES, Table
from tests.service import Service

NAMES_IN_JAPANESE = (
    *("明", "勉", "千恵", "大輔", "恵美", "文雄", "五郎", "春香", "一郎", "寿子", "健二", "雅子"),
    *("直樹", "小畑", "ぽっぴ", "玲", "幸子", "太郎", "梅子", "渉", "康夫", "善次", "亜希子"),
)
PHONE, TELEVISION = {"width": 360, "height": 740}, {"width": 1280, "height": 720}

FIRST_DEAL = "round\nfield swords-1\ndeal plain plain cups-10 (p1=1 p5=2) plain plain coins-10 (p2=1) plain cups-11"
AUCTION = f"{FIRST_DEAL} (p4=3 p7=5)"
FIRST = f"{FIRST_DEAL} (p4=3 p7=5){' plain' * 7}"
FIFTEEN = (
    f"{FIRST}\ndeal plain plain plain swords-12 (p1=10){' plain' * 3} coins-1 (p9=1){' plain' * 4} clubs-12 (p2=4)"
)
WON = f"{FIFTEEN} plain plain\ntrump cups-12\n"
FORFEITED = f"{FIFTEEN} plain plain\ntrump cups-2\n"
MANY = f"round\nfield swords-1\ndeal plain plain cups-10 (p1=1 p5=2) plain plain coins-10 (p2=1) plain{' plain' * 11}"
BETS = "round\nbet p2=1 p3=2"
SETTLED = "round\nbet p2=1 p3=2 p4=3 p5=4\nsecond 7 3 5 10 / 9\nfirst 2 2 2 10 / 8\n"
SHIPPIN_SHOWN = "round\nbet p2=1 p3=2 p4=3 p5=4\nsecond 7 3 5 10 / 1\nfirst 2 2 2 10 / 4\n"
DEAR = WON.replace("p7=5", "p7=150")
TURNS = "round\nstarter cups-5\np1 -\np2 cups-6 cups-7\n"
GURI = "round\nstarter cups-5\np1 -\np2 cups-6 cups-7 coins-8 clubs-9 swords-10 cups-11\n"
ALL_PASSED = "round\nstarter cups-5\n" + "".join(f"p{number} -\n" for number in range(1, 8))


def later(text: str, rounds: int) -> str:
    """The same for those who sit so many seats further on: who deals changes with every round."""
    return re.sub(r"\bp(\d+)", lambda player: f"p{(int(player[1]) - 1 + rounds) % 15 + 1}", text)


EVENING = f"{WON}{later(FORFEITED, 1)}{later(WON, 2)}{later(AUCTION, 3)}\n"
ENDED = f"{WON}{later(FORFEITED, 1)}{later(WON, 2)}describe chip-value=10 JPY\nclose\npaid p1 p9=70\n"
MIXED = f"totals {' '.join(f'p{seat}={seat}' for seat in range(4, 24))} / p1=100 p2=80 p3=90\nclose\n"


class View(NamedTuple):
    """What is to be seen: in which evening, where, after which taps, and one thing that is seen then.

    `game` is empty where no session is looked at, `where` what stands behind the session in the address.
    """

    name: str
    sees: str
    game: str = ""
    players: int = 0
    evening: str = ""
    where: str = ""
    taps: Sequence[str] = ()
    deck: str = ""
    rules: str = ""
    screen: dict[str, int] = PHONE
    role: str = "owner"
    odds: bool = False
    typed: tuple[str, str] | None = None

    def table(self, service: Service, *, ja: bool = False) -> Table | None:
        """Have the evening played so far; None where there is none."""
        if not self.game:
            return None
        names = (NAMES_IN_JAPANESE if ja else NAMES)[: self.players]
        lines = [f"game {self.game}", f"players {' '.join(names)}"]
        lines += [f"deck {self.deck}"] * bool(self.deck) + [f"rules {self.rules}"] * bool(self.rules)
        score = parse("\n".join([*lines, self.evening, ""]))
        name = "福井・正月" if ja else "Fukui, New Year"
        table = Table.opened(service, self.game, names, **{"name": name, "odds": self.odds, **part(score.opening)})
        if score.events:
            table.reports(*map(dict, score.events))
        return table

    def shows(self, phone: Phone, table: Table | None) -> None:
        """Go there."""
        phone.page.set_viewport_size({"width": self.screen["width"], "height": self.screen["height"]})
        if table is None:
            phone.goes("/#/" + self.where)
        else:
            token = table.token if self.role == "owner" else table.link(self.role)["token"]
            phone.sits_down(table, self.where, token)
            phone.stands_at(table.seq)
        phone.tap(*self.taps)
        if self.typed:
            phone.types(*self.typed)
        phone.sees(self.sees)


def part(opening: object) -> dict[str, object]:
    """What an opening has besides what every one has."""
    assert isinstance(opening, dict)
    return {name: value for name, value in opening.items() if name not in {"game", "players"}}


SHIRINMA, SHIPPIN, KAKKURI = ("shirinma", 15), ("shippin", 5), ("kakkuri", 7)

VIEWS = (
    View("start", "new-game-shirinma"),
    View("start-shirinma", "names", taps=["new-game-shirinma"]),
    View("start-shippin", "names", taps=["new-game-shippin"]),
    View("start-kakkuri", "names", taps=["new-game-kakkuri"]),
    View("start-rules", "rule-payments.king", taps=["new-game-shirinma", "house-rules", "more"]),
    View("start-evening", "go-on", *SHIRINMA, f"{WON}{later(WON, 1)}", taps=["menu", "to-start"]),
    View("sample", "sample-chips", taps=["sample-shirinma"]),
    View("sample-played", "sample-note", taps=["sample-shirinma", "sample-play"]),
    View("how", "how-sheet", taps=["how-kakkuri"]),
    View("rules-at-hand", "may-come", *SHIRINMA, f"{AUCTION}\n", taps=["menu", "how"]),
    View(
        "rules-at-hand-western", "may-come", "shirinma", 12, "round\nfield AS\n", taps=["menu", "how"], deck="western"
    ),
    View("shirinma-before", "open-round", *SHIRINMA),
    View("shirinma-field", "card-cups-11", *SHIRINMA, "round\n"),
    View("shirinma-deal", "card-cups-12", *SHIRINMA, f"{AUCTION} plain plain\n"),
    View("shirinma-auction", "bid-amount", *SHIRINMA, f"{AUCTION}\n"),
    View("shirinma-deal-western", "card-KH", "shirinma", 12, "round\nfield AS\ndeal p1=QH K♣\n", deck="western"),
    View("shirinma-deal-23", "card-cups-12", "shirinma", 23, f"{MANY}\n"),
    View("shirinma-auction-23", "bid-amount", "shirinma", 23, f"{MANY} clubs-12 (p3=4)\n"),
    View("shirinma-draft", "standing", "shirinma", 23, f"{MANY} clubs-12 (p3=4)\n", taps=["bidder-p5", "bid-plus-5"]),
    View("shirinma-last-auction", "bid-amount", *SHIRINMA, f"{FIFTEEN} plain cups-12 (p3=4)\n"),
    View("shirinma-trump", "trump", *SHIRINMA, f"{FIFTEEN} plain plain\n"),
    View("shirinma-won", "outcome", *SHIRINMA, WON),
    View("shirinma-forfeited", "outcome", *SHIRINMA, FORFEITED),
    View("shirinma-viewer", "pot", *SHIRINMA, f"{AUCTION}\n", role="viewer"),
    View("viewer-chooses", "pin-p5", *SHIRINMA, f"{AUCTION}\n", taps=["pin"], role="viewer"),
    View("viewer-pinned", "my-ride-cups-10", *SHIRINMA, f"{AUCTION}\n", taps=["pin", "pin-p5"], role="viewer"),
    View("viewer-won", "outcome", *SHIRINMA, WON, taps=["pin", "pin-p8"], role="viewer"),
    View("viewer-shippin", "dealer", *SHIPPIN, f"{BETS}\nsecond 7 3 5 10 / 9\n", role="viewer"),
    View("viewer-kakkuri", "dealer", *KAKKURI, TURNS, taps=["pin", "pin-p3"], role="viewer"),
    View("shippin-bets", "column-3", *SHIPPIN, f"{BETS}\n"),
    View("shippin-second", "card-7", *SHIPPIN, f"{BETS} p4=3 p5=4\n", taps=["second-cards", "card-7", "card-3"]),
    View("shippin-first", "card-7", *SHIPPIN, f"{BETS}\nsecond 7 3 5 10 / 9\n", taps=["first-cards", "card-2"]),
    View("shippin-settled", "outcome", *SHIPPIN, SETTLED),
    View("shippin-shippin", "moment", *SHIPPIN, SHIPPIN_SHOWN),
    View("shippin-draw", "card-7", *SHIPPIN, taps=["draw-p1"]),
    View("kakkuri-starter", "starter", *KAKKURI, "round\n"),
    View("kakkuri-turn", "turn-done", *KAKKURI, TURNS),
    View("kakkuri-draft", "draft", *KAKKURI, TURNS, taps=["card-coins-8", "card-coins-9"]),
    View("kakkuri-others", "card-swords-12", *KAKKURI, TURNS, taps=["other-cards"]),
    View("kakkuri-who", "for-p1", *KAKKURI, "round\nstarter cups-5\n", taps=["dropped-out"]),
    View("kakkuri-hanafuda", "turn-done", *KAKKURI, TURNS, deck="hanafuda"),
    View("kakkuri-eight", "dropped-out", "kakkuri", 8, "round\n"),
    View("kakkuri-box", "box-card", *KAKKURI, ALL_PASSED),
    View("kakkuri-won", "outcome", *KAKKURI, GURI),
    View("log", "fold-4", *SHIRINMA, f"{EVENING}undo\n", "log"),
    View("log-unfolded", "round-2", *SHIRINMA, EVENING, "log", ["fold-2"]),
    View("log-person", "only-p7", *SHIRINMA, EVENING, "log", ["only-p7"]),
    View("correct", "change-p3", *SHIRINMA, WON, "log", ["correct-11", "for-p3"]),
    View("correct-at-table", "in-log", *SHIRINMA, f"{AUCTION}\n", taps=["held-cups-10", "wrong-all"]),
    View("take-back", "preview", *SHIRINMA, f"{AUCTION}\n", "log", ["take-back-5"]),
    View("undo", "undone", *SHIRINMA, f"{AUCTION}\nundo\n", taps=["undo"]),
    View("bid-unread", "unread", *SHIRINMA, f"{AUCTION}\n", taps=["bidder-p8"], typed=("bid-amount", "1.5")),
    View("why", "why", *SHIRINMA, WON, taps=["seat-p8"]),
    View("menu", "close-sheet", *SHIRINMA, WON, taps=["menu"]),
    View("menu-in-a-round", "close-sheet", "shirinma", 23, f"{MANY}\n", taps=["menu"]),
    View("menu-viewer", "close-sheet", *SHIRINMA, WON, taps=["menu"], role="viewer"),
    View("join", "confirm", *SHIRINMA, WON, taps=["menu", "join"]),
    View("leave", "confirm", "shirinma", 23, taps=["menu", "leave"]),
    View("seats", "confirm", "shirinma", 23, taps=["menu", "seats", "place-2"]),
    View("chips", "confirm", *SHIRINMA, WON, taps=["menu", "chips"]),
    View("rules", "confirm", *SHIRINMA, WON, taps=["menu", "rules"]),
    View("enter-unread", "unread", *SHIRINMA, taps=["menu", "enter-round"], typed=("got-out-p3", "1.5")),
    View("enter-round", "confirm", *SHIRINMA, FORFEITED, taps=["menu", "enter-round"]),
    View("forget", "confirm", *SHIRINMA, WON, taps=["menu", "erase-p2"]),
    View("close", "confirm", *SHIRINMA, FORFEITED, taps=["menu", "close-session"]),
    View("share", "share-viewer", *SHIRINMA, WON, "share"),
    View("share-qr", "qr", *SHIRINMA, WON, "share", ["share-viewer"]),
    View("key", "qr", *SHIRINMA, WON, "key"),
    View("board-phone", "board", *SHIRINMA, EVENING, "board"),
    View("board", "board", *SHIRINMA, EVENING, "board", screen=TELEVISION),
    View("board-won", "outcome", *SHIRINMA, f"{WON}{later(FORFEITED, 1)}{later(WON, 2)}", "board", screen=TELEVISION),
    View("board-kakkuri", "board", *KAKKURI, TURNS, "board", screen=TELEVISION),
    View("board-closed", "podium", *SHIRINMA, ENDED, "board", screen=TELEVISION),
    View("board-23", "board", "shirinma", 23, f"{MANY}\n", "board", screen=TELEVISION),
    View("settlement", "pay-p1-p7", *SHIRINMA, WON, "settlement"),
    View("closing", "preview", *SHIRINMA, FORFEITED, "settlement", ["close-session", "pot-split"]),
    View("ending", "podium", *SHIRINMA, ENDED),
    View("ending-all", "result", *SHIRINMA, ENDED, taps=["all"]),
    View("ending-viewer", "podium", *SHIRINMA, ENDED, role="viewer"),
    View("ending-shippin", "podium", *SHIPPIN, f"{SETTLED}close\n"),
    View("ending-none", "all", *KAKKURI, "close\n"),
    View("picture", "picture-save", "shirinma", 23, MIXED, taps=["picture"]),
    View("exports", "export-html", *SHIRINMA, WON, "exports"),
    View("statistics", "chart", *SHIRINMA, EVENING, "statistics"),
    View("round", "replay", *SHIRINMA, WON, "round/1"),
    View("odds-deal", "card-cups-12", *SHIRINMA, f"{AUCTION} plain plain\n", odds=True),
    View("odds-auction", "ride-worth", *SHIRINMA, f"{AUCTION}\n", odds=True),
    View("odds-auction-23", "ride-worth", "shirinma", 23, f"{MANY} clubs-12 (p3=4)\n", odds=True),
    View("odds-viewer", "pot", *SHIRINMA, f"{AUCTION}\n", role="viewer", odds=True),
    View("odds-shippin", "chance-2", *SHIPPIN, f"{BETS}\nsecond 7 3 5 10 / 9\n", odds=True),
    View("odds-menu", "odds", *SHIRINMA, WON, taps=["menu"], odds=True),
    View("odds-round", "dear-rides", *SHIRINMA, DEAR, "round/1", ["replay-on"] * 5, odds=True),
    View("odds-statistics", "luckiest", *SHIRINMA, EVENING, "statistics", odds=True),
    View("odds-board", "chance-cups-10", *SHIRINMA, f"{FIFTEEN}\n", "board", screen=TELEVISION, odds=True),
    View("odds-board-phone", "board", *SHIPPIN, f"{BETS}\nsecond 7 3 5 10 / 9\n", "board", odds=True),
    View("board-shippin", "board", *SHIPPIN, SETTLED, "board", screen=TELEVISION),
)
