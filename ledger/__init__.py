"""Fuda Ledger keeps the books for card games played at a real table.

An event goes in; a new phase and the chips that moved come out, or a refusal that names its rule. The layers, from the
top down; a module imports only from layers below its own, and one import contract in `pyproject.toml` says so:

    app             the application: a list of its parts
    web             the page at the table
    api, cli        one blueprint a resource; one group of commands a file. `api/http` is what stands around every view:
                    authentication, preconditions, idempotency, problems, rate limits, the OpenAPI document
    exports         one format a file
    simulation      house rules tried on many rounds
    services        what a client can ask for: sessions, recording, access, erasure, verification, importing,
                    calculation, streams, odds. No Flask here or below
    notation        rounds as text
    responses       records of answers
    config          settings from the environment
    schemas         (beside this package) what comes in, by marshmallow schemas that are derived from records
    storage         the log and the books in a database: the store, group commit, two engines
    codec           records to JSON and back, the log's own form, its hash chain. No SQL here or below
    session         a table over many rounds: seats, dealer, pot, corrections; `history` is its fold over the log
    accounting      accounts and entries, settlement, the chart
    games           the rule books, one a file, and their odds
    i18n            the languages in which sentences are read; `sentences` itself lies below rulebook
    rulebook        what all games share: cards, events, phases, refusals, chips
    records         frozen records, and the description of their members
    cooperation     pauses in long loops

`serving` has gunicorn's settings and hooks, above all layers, and the log and the metrics, below most.
"""

__version__ = "0.1.0"
