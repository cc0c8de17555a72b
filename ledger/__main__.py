"""`python -m ledger` is the command line."""

from ledger.cli import main

if __name__ == "__main__":
    main()
