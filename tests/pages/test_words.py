"""The page's own words: each can be found in its scripts, and is built into a file for each language."""

from __future__ import annotations

import json

import pytest

from ledger.web.build import HASHED
from tests.pages.texts import NotFound, said_in, texts_of_the_page


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


def test_the_page_gets_its_words() -> None:
    (file,) = HASHED.glob("ja-[0-9A-F]*.json")
    words = json.loads(file.read_text("utf-8"))
    for text in texts_of_the_page():
        assert isinstance(words.pop(text if isinstance(text, str) else text[0]), str if isinstance(text, str) else list)
    assert words == {}
