"""Fuda Ledger keeps the books for card games played at a real table.

An event goes in; a new phase and the chips that moved come out, or a refusal that names its rule. The rooms, from
the street door down; each may use those below it, and rooms on one line are strangers:

    __main__                                the command line
    app | server                            puts the house together; gunicorn's settings
    worker                                  one process of the service: a greenlet a connection
    connections                             how many an address may have, and which end when no place is left
    api | cli | pages                       who comes in, and how they are answered; the page at the table
    schemas | exports | live                what comes in over HTTP; books to take home; what is told as it is recorded
    calculation | importing | starting | nearby | simulation
                                            a round that is not kept; a file brought in, of which nothing is believed;
                                            what would keep the service from working, said before it starts; where a
                                            phone finds it, said when it has; house rules tried out on many rounds
    desk                                    open, record, look, share: the only place that joins rules and store
    recording                               how reports get into the log
    access | answers | notation | verification | session_cache | config
    erasure | idempotency                   which words go with an erased player; requests that are repeated
    storage | codec                         the log in and out of a database; records to the log's JSON and back
    statistics | charts                     what an evening came to, counted and drawn
    chances                                 what a round may come to
    history                                 one session folded from its log: its state, corrections, questions
    games | session | books | settlement | hash_chain
    language                                sentences in the reader's language
    play                                    what all games share
    cards                                   the four decks
    sentences | cooperation | garbage | rates | logs | meters | guards
                                            what is said to people, before words are found; how others go first;
                                            when memory is searched for cycles; how often an address may ask; what may
                                            stand in the log; what is counted; what a browser may do with an answer
    records                                 frozen records, and the description of their fields

`schemas` is a package of its own beside this one.
"""

__version__ = "0.1.0"
