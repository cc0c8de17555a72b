"""Exact chances, counted: a file for each game whose cards lie open. None of it knows of phases or of decks.

A rule book says what is known of a round in the words of its file here, and what was counted in its own.
"""
