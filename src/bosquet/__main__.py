"""The program `bosquet`, also `python -m bosquet`. Ctrl-C ends it without a traceback from here on.

Little is imported at its top, since Ctrl-C may come while the command line is imported.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading

from bosquet.core.errors import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

IMPORTING = "<frozen importlib._bootstrap>"
AGAIN = 0.02
"""Seconds until an interrupt that came during an import is tried again."""


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; while a module is imported, a moment later, since libraries hide an error there.

    While the command line itself is imported, nothing is under way: the process ends at once.
    """
    if "bosquet.cli" not in sys.modules or not hasattr(sys.modules["bosquet.cli"], "main"):
        os._exit(INTERRUPTED)
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            later = threading.Timer(AGAIN, _interrupt_again)
            later.daemon = True
            later.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _interrupt_again() -> None:
    """Interrupt the main thread, also where it waits for the system."""
    if hasattr(signal, "pthread_kill") and (main := threading.main_thread().ident) is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def main() -> None:
    """Run the command line. Once it has ended, Ctrl-C changes nothing: Python would end by the signal then."""
    try:
        try:
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where Ctrl-C is ignored
                signal.signal(signal.SIGINT, interrupt)
            from bosquet.cli import main as run

            run()
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
