"""`python -m bosquet` is the command line."""

from bosquet.cli import main

main()
