"""The page's own words: each can be found in its scripts, and is served in the reader's language."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from ledger.app import create_app
from ledger.language import translate, words_of
from ledger.pages.assets import Assets, read
from tests.databases import kept_at
from tests.pages.texts import NotFound, said_in, texts_of_the_page


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app({"LEDGER_DATABASE": kept_at(tmp_path_factory.mktemp("pages") / "ledger.db")}).test_client()


def test_texts_are_found_as_they_stand() -> None:
    script = """
    /** Not t("this") */
    html`<p title=${t("Undo")}>${t("Card for {name}", { name })}</p>${wait("x")}${a.t("x")}
      ${tn("{count} \\"chip\\"",
           "{count} chips", n)}`;
    """
    assert said_in(script) == ["Undo", "Card for {name}", ('{count} "chip"', "{count} chips")]


@pytest.mark.parametrize(
    "said", ["t(text)", 't("a" + b)', "t('a')", "t(`a`)", 't(a ? "b" : "c")', 'tn("a", b, 1)', 'tn("a")']
)
def test_a_text_that_does_not_stand_as_it_is_cannot_be_found(said: str) -> None:
    with pytest.raises(NotFound, match=r"x\.js:2: "):
        said_in(f"\n{said}", "x.js")


def test_the_page_gets_its_words(client: FlaskClient) -> None:
    answer = client.get(f"{Assets(read()).base}words/ja.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    words = answer.get_json()
    assert words == words_of("page", "ja")
    for text in texts_of_the_page():
        if isinstance(text, str):
            assert isinstance(words[text], str)
        else:
            assert isinstance(words[text[0]], list)


def test_the_words_of_the_page_are_not_those_of_the_service() -> None:
    assert words_of("page", "en") == {}
    assert words_of("nobody", "ja") == {}
    of_the_service = "The pot was empty."
    assert of_the_service not in words_of("page", "ja")
    own = [
        text for text, said in words_of("page", "ja").items() if isinstance(said, str) and translate(text, "ja") == text
    ]
    assert own
