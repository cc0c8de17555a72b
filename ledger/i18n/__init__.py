"""Sentences, and the languages in which they are read."""
