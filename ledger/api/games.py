"""Rule books and decks as data: what a phone needs to draw its forms."""

from __future__ import annotations

from ledger.access import NotThere
from ledger.answers.games import Deck, Game, GameList, deck_answer, game_answer
from ledger.api.caching import OPENLY
from ledger.api.room import Room
from ledger.cards import DECKS
from ledger.games import GAMES, newest

games = Room("games", __name__, description="The rule books and the decks.", url_prefix="/v1")


@games.get("/games")
@games.answers(GameList, keeping=OPENLY)
def list_games() -> GameList:
    """List every game with its house rules and events."""
    return GameList(tuple(game_answer(newest(game)) for game in GAMES))


@games.get("/games/<game>")
@games.answers(Game, keeping=OPENLY)
def show_game(game: str) -> Game:
    """Show one game: who may play, with which decks, house rules and events."""
    if game not in GAMES:
        raise NotThere
    return game_answer(newest(game))


@games.get("/decks/<deck>")
@games.answers(Deck, keeping=OPENLY)
def show_deck(deck: str) -> Deck:
    """Show the cards of a deck: codes, names, suits, ranks or months, and what each stands for."""
    for name in DECKS:
        if name == deck:
            return deck_answer(name)
    raise NotThere
