"""What all games share: seats, chips that move, events, phases, refusals, and the rule book.

A round is a `Phase`. `RuleBook.play(phase, event)` gives a `Step`, the next phase and the chips that moved, or raises a
`Refused` that names its rule. A round that has ended is in the phase `Over`, which cannot lack an outcome.
Everything here is a frozen record. Chips are `int`; the docstring of each division names who keeps the odd chip.
"""
