"""Rule books and decks as data: what a phone needs to draw its forms."""

from __future__ import annotations

from flask import Response

from ledger.access import NotThere
from ledger.api.door import Room, answered
from ledger.cards import DECKS
from ledger.games import GAMES, newest
from schemas.sessions import DeckSchema, GameListSchema, GameSchema, dump_book, dump_card

games = Room("games", __name__, description="The rule books and the decks.", url_prefix="/v1")


@games.get("/games")
@games.response(200, GameListSchema)
def list_games() -> Response:
    """List every game with its house rules and events."""
    return answered({"games": [dump_book(newest(game)) for game in GAMES]})


@games.get("/games/<game>")
@games.response(200, GameSchema)
def show_game(game: str) -> Response:
    """Show one game: who may play, with which decks, house rules and events."""
    if game not in GAMES:
        raise NotThere
    return answered(dump_book(newest(game)))


@games.get("/decks/<deck>")
@games.response(200, DeckSchema)
def show_deck(deck: str) -> Response:
    """Show the cards of a deck: codes, names, and what each stands for."""
    cards = next((cards for name, cards in DECKS.items() if name == deck), None)
    if cards is None:
        raise NotThere
    return answered({"deck": deck, "cards": [dump_card(card) for card in cards]})
