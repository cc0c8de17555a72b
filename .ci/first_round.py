"""Play a first round over HTTP, with nothing but the standard library: open a session, record a round, read it."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

OPENING = {"game": "kakkuri", "players": ["A", "B", "C", "D", "E", "F", "G"], "rules": {"chips_per_share": 5}}
GURI = ["cups-6", "cups-7", "coins-8", "clubs-9", "swords-10", "cups-11"]
EVENTS = [
    {"type": "round_opened"},
    {"type": "starter_revealed", "card": "cups-5"},
    {"type": "turn_played", "player": "p1", "cards": []},
    {"type": "turn_played", "player": "p2", "cards": GURI},
]
BALANCES = {"p1": -15, "p2": 65, "p3": -10, "p4": -10, "p5": -10, "p6": -10, "p7": -10}


def call(address: str, body: object = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, headers), timeout=30) as answer:
        return json.load(answer)


def main(service: str) -> None:
    opened = call(f"{service}/v1/sessions", OPENING)
    session, token = f"{service}/v1/sessions/{opened['session']['id']}", opened["link"]["token"]
    call(f"{session}/events", {"events": EVENTS}, token)
    balances = {player["id"]: player["balance"] for player in call(session, token=token)["players"]}
    outcome = call(f"{session}/rounds/1", token=token)["outcome"]
    if (outcome["winner"], balances) != ("p2", BALANCES):
        sys.exit(f"the first round came to {outcome} and {balances}, not to {BALANCES}")
    print(f"A round was recorded and read: {outcome['winner']} won, {balances}")


if __name__ == "__main__":
    main(sys.argv[1])
