"""The program `bosquet`, also `python -m bosquet`. Ctrl-C ends it without a traceback from here on.

Little is imported at its top, since Ctrl-C may come while the command line is imported.
"""

from __future__ import annotations

import os
import signal
import sys

from bosquet.core.errors import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

IMPORTING = "<frozen importlib._bootstrap>"


def interrupt(number: int, frame: FrameType | None) -> None:
    """End the process at once if it imports a module, since libraries hide an error there; else raise an error."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            os._exit(INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where Ctrl-C is ignored
            signal.signal(signal.SIGINT, interrupt)
        from bosquet.cli import main as run

        run()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
