"""Fuda Ledger keeps the books for card games played at a real table.

An event goes in; a new phase and the chips that moved come out, or a refusal that names its rule. The layers, from the
top down: a module imports only from layers below its own, and modules on one line are independent.

    __main__                                the command line
    app | serving.gunicorn_config           the application and its parts; gunicorn's settings and hooks
    api | cli | pages                       HTTP views; commands; the page at the table
    exports | live | middleware             export formats; streams of events; request ids, metrics and headers of all
                                            requests
    calculation | importing | simulation    rounds without a session; imports, of which nothing is trusted; house rules
                                            tried out on many rounds
    desk                                    the service that joins rules and store: open, record, read, share
    recording                               how reports get into the log
    access | responses | notation | session_cache | config
                                            links and tokens; records of responses; the round notation; folded sessions
                                            in memory; the settings
    verification                            checks of the record
    erasure | idempotency                   which texts go with an erased player; repeated requests
    schemas                                 the gate: what comes in, by marshmallow schemas derived from records
    storage | codec                         the log in databases; records to JSON and back
    statistics | charts                     what an evening came to, as figures and as a chart
    chances                                 what a round may come to
    history                                 a session folded from its log: state, corrections, queries
    games | session | books | settlement | hash_chain
                                            rule books; events between rounds; accounts; who pays whom; the log's hashes
    language                                sentences in the reader's language
    play                                    what all games share
    cards                                   the four decks
    sentences | cooperation | serving.logs | serving.metrics | serving.lan
                                            sentences before translation; pauses in long loops; the log; Prometheus
                                            metrics; the address for phones in the local network
    records                                 frozen records, and the description of their fields

`schemas` is a package of its own beside this one.
"""

__version__ = "0.1.0"
