"""The session's own rules: who sits at the table, who deals, and what becomes of the pot.

A `Table` is where a session stands, a frozen record; `apply(table, event)` is what an event does to it, as `play` is
for a round: the next table and the chips that moved, or a refusal. What belongs to the game is handed on to its rule
book, which is given, not known. Corrections change nothing by themselves: `history` reads off a log what they mean.

`events`, `corrections` and `refusals` say what can be reported and what is refused, `table` where a session stands;
`rules` and `rounds` are the rules.
"""
