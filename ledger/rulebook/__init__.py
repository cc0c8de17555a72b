"""What all games share: seats, chips that move, events, phases, refusals, and what a rule book is.

The machine: a round is a `Phase`. `RuleBook.play(phase, event)` answers with a `Step`, the next phase and the chips
that moved because of the event, or raises a `Refused` that names its rule. A round that has ended stands in the phase
`Over`, which cannot lack an outcome. Everything here is a frozen record; nothing knows of people, time or storage.

Chips are `int`; a share of anything is worked out where the docstring says who keeps the odd chip.
"""
