"""Rule books and decks as data: what a phone needs to draw its forms."""

from __future__ import annotations

from typing import cast

from ledger.api.http.blueprint import ApiBlueprint
from ledger.api.http.conditional import PUBLIC
from ledger.games import GAMES, newest
from ledger.responses.games import Deck, Game, GameList, deck_answer, game_answer
from ledger.rulebook.cards import DECKS, DeckName
from ledger.storage.errors import NotFound

games = ApiBlueprint("games", "The rule books and the decks.", "/v1")


@games.get("/games", cache=PUBLIC)
def list_games() -> GameList:
    """List every game with its house rules and events.

    Also who may play, with which decks, and the labels of all fields in every language.
    """
    return GameList(tuple(game_answer(newest(game)) for game in GAMES))


@games.get("/games/<game>", cache=PUBLIC, raises=(NotFound,))
def show_game(game: str) -> Game:
    """Show one game: who may play, with which decks, house rules and events.

    A client draws its forms from it: every field of every event has a label in each language, its bounds and choices.
    """
    if game not in GAMES:
        raise NotFound
    return game_answer(newest(game))


@games.get("/decks/<deck>", cache=PUBLIC, raises=(NotFound,))
def show_deck(deck: str) -> Deck:
    """Show the cards of a deck.

    Each with its code, its name, its suit and rank or month, and the mekurifuda card that it stands for.
    """
    if deck not in DECKS:
        raise NotFound
    return deck_answer(cast("DeckName", deck))
