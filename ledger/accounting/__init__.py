"""Accounts and entries, who pays whom, and the chart of an evening."""
