"""The session's own rules: seats, dealer, pot, corrections.

`apply(table, event)` is for a session what a rule book's `play` is for a round: it gives the next table and the chips
that moved, or refuses. What belongs to the game goes on to its rule book. Corrections change nothing by themselves:
`history` works out which events of a log count. `events`, `corrections` and `refusals` are what can be reported and
refused.
"""
