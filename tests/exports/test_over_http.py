"""Exports over HTTP: which formats there are, for whom, under which name, in which language."""

from __future__ import annotations

import codecs
import json
import re
from urllib.parse import unquote

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from ledger.config import Config
from ledger.exports import FORMATS
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event


def asks(scorekeeper: Scorekeeper, file: str, **headers: str) -> TestResponse:
    return scorekeeper.client.get(f"{scorekeeper.address}/{file}", headers=scorekeeper.headers(**headers))


@pytest.mark.parametrize("form", FORMATS)
def test_everyone_with_a_link_exports_every_format(scorekeeper: Scorekeeper, form: str) -> None:
    scorekeeper.opens()
    assert scorekeeper.client.get(f"{scorekeeper.address}/export.{form}").status_code == 401
    for role in ("owner", "scorer", "viewer"):
        links, owner = f"{scorekeeper.address}/links", scorekeeper.headers()
        token = scorekeeper.client.post(links, json={"role": role}, headers=owner).get_json()["token"]
        answer = scorekeeper.client.get(
            f"{scorekeeper.address}/export.{form}", headers={"Authorization": f"Bearer {token}"}
        )
        assert (answer.status_code, answer.content_type) == (200, FORMATS[form].media_type)
        assert answer.data


@pytest.mark.parametrize("form", FORMATS)
def test_books_are_whole_where_somebody_had_chips_whose_coming_was_taken_back(
    scorekeeper: Scorekeeper, form: str
) -> None:
    scorekeeper.opens("shippin")
    brought = [{"name": "Rin", "balance": 5}, {"player": "p1", "balance": -5}]
    scorekeeper.reports(event("balances_brought", balances=brought), event("event_taken_back"))
    answer = asks(scorekeeper, f"export.{form}")
    assert (answer.status_code, bool(answer.data)) == (200, True)


@pytest.mark.parametrize(
    ("file", "parameter"),
    [
        ("export.csv?what=cards", "what"),
        ("export.csv?what=", "what"),
        ("export.xlsx?what=rounds", "what"),
        ("export.html?lang=fr", "lang"),
        ("export.csv?bom=perhaps", "bom"),
        *((f"export.{form}?bom=true", "bom") for form in FORMATS if form != "csv"),
        ("export.html?language=ja", "language"),
    ],
)
def test_what_cannot_be_asked_for_is_named(scorekeeper: Scorekeeper, file: str, parameter: str) -> None:
    scorekeeper.opens()
    answer = asks(scorekeeper, file)
    problem: Json = answer.get_json()
    assert (answer.status_code, [error["parameter"] for error in problem["errors"]]) == (422, [parameter])


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [("", "", "en"), ("", "ja,en;q=0.5", "ja"), ("?lang=ja", "en", "ja"), ("?lang=en", "ja", "en"), ("", "fr", "en")],
)
def test_a_sheet_is_in_the_language_that_was_asked_for(
    scorekeeper: Scorekeeper, query: str, accepted: str, language: str
) -> None:
    scorekeeper.opens()
    answer = asks(scorekeeper, f"export.html{query}", Accept_Language=accepted)
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.vary
    assert f'<html lang="{language}">' in answer.text


@pytest.mark.parametrize(
    ("title", "ascii_name", "name"),
    [
        ("New year", "New-year.csv", "New year.csv"),
        ("新年会", "fuda-ledger-{id}.csv", "新年会.csv"),
        ('a"b\\c; X-Evil: 1', "a-b-c-X-Evil-1.csv", "a b c; X-Evil 1.csv"),
        ("100%; filename=x", "100-filename-x.csv", "100 ; filename=x.csv"),
        (None, "fuda-ledger-{id}.csv", "fuda-ledger-{id}.csv"),
    ],
)
def test_a_file_is_called_by_the_name_of_the_session(
    scorekeeper: Scorekeeper, title: str | None, ascii_name: str, name: str
) -> None:
    scorekeeper.opens(name=title)
    said = asks(scorekeeper, "export.csv").headers["Content-Disposition"]
    names = re.fullmatch(r"attachment; filename=\"([^\"\\]+)\"; filename\*=UTF-8''(\S+)", said)
    assert names, said
    expected = (ascii_name, name)
    assert (names[1], unquote(names[2])) == tuple(told.format(id=scorekeeper.session_id) for told in expected)


@pytest.mark.parametrize("form", FORMATS)
def test_head_has_the_headers_of_the_file(scorekeeper: Scorekeeper, form: str) -> None:
    scorekeeper.opens()
    address, headers = f"{scorekeeper.address}/export.{form}?bom=false", scorekeeper.headers()
    head, file = (call(address, headers=headers) for call in (scorekeeper.client.head, scorekeeper.client.get))
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Type", "Content-Disposition", "Content-Language", "Vary", "Cache-Control"):
        assert head.headers[name] == file.headers[name]


def test_people_read_their_own_clock_and_programs_utc(app: Flask, scorekeeper: Scorekeeper) -> None:
    app.extensions["config"] = Config.read({"LEDGER_TIMEZONE": "Asia/Tokyo"})
    scorekeeper.opens()
    assert "日本時間" in asks(scorekeeper, "export.html?lang=ja").text
    assert "Japan Time" in asks(scorekeeper, "export.journal?lang=en").text
    assert asks(scorekeeper, "export.json").get_json()["session"]["created_at"].endswith("Z")


def test_json_has_everything(scorekeeper: Scorekeeper) -> None:
    names = ['a "quoted" one', "a back\\slash", "千恵 🎴", "=HYPERLINK(1)", *map(str, range(5, 13))]
    scorekeeper.opens(players=names)
    moved = event("chips_moved", from_="bank", to="p2", amount=70, note='=1+1, "noted"')
    recorded(scorekeeper, *shirinma_round(), moved)
    recorded(scorekeeper, event("event_taken_back", seq=27), event("round_voided", reason="?"))
    assert asks(scorekeeper, "export.csv?bom=true").data == codecs.BOM_UTF8 + asks(scorekeeper, "export.csv").data
    assert asks(scorekeeper, "export.pdf").status_code == 404
    told: Json = json.loads(asks(scorekeeper, "export.json").data)
    assert (told["format"], told["version"]) == ("fuda-ledger", 1)
    assert told["session"] == scorekeeper.looks("")
    assert [player["name"] for player in told["session"]["players"]] == names
    for exported, listed in zip(told["events"], scorekeeper.looks("/events?limit=500")["events"], strict=True):
        assert listed | exported == listed
    assert told["rounds"] == scorekeeper.looks("/rounds")["rounds"]
    assert told["entries"] == scorekeeper.looks("/ledger?limit=500")["entries"]
