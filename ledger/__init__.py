"""Fuda Ledger keeps the books for card games played at a real table.

An event goes in; a new phase and the chips that moved come out, or a refusal that names its rule. The rooms, from
the street door down; each may use those below it, and rooms on one line are strangers:

    __main__                            `python -m ledger` is the command line
    app                                 puts the house together
    api | pages | cli                   who comes in, and how they are answered
    exports | live                      the books to take home
    desk                                what a person does here; the only place that joins rules and store
    importing | access                  a file brought in, of which nothing is believed; links, tokens, roles
    session_cache                       folded sessions, kept and caught up
    verification | erasure | statistics | charts    what is read off a whole session
    notation                            rounds and sessions as a scorekeeper writes them
    schemas | store | codec             records to JSON and back; the log in and out of the database
    history                             one session folded from its log: the table and its books, side by side
    games | session | books | settlement | hash_chain    the rule books; the session's own rules; accounts; debts
    language                            sentences in the reader's language
    play                                what all games share
    cards                               the four decks
    sentences                           what is said to people, before it is put into words

`schemas` is a package of its own beside this one.
"""

__version__ = "0.1.0"
