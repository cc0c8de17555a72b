"""Exact chances, counted: a file for each game whose cards lie open, and one that counts Shirinma's by places alone."""
