"""`bosquet` and `python -m bosquet` are the command line.

A worker process imports the module that its program began with again, so this one imports nothing before it is run.
"""


def main() -> None:
    """Run the command line."""
    from bosquet.cli import main as run

    run()


if __name__ == "__main__":
    main()
