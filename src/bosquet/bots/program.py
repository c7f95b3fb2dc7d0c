"""A bot that runs in a process of its own and speaks the protocol of bots on its standard input and output.

A process is started once and plays many games, one after the other. It is ended if it does not keep to the rules of
docs/bot-protocol.md.
"""

from __future__ import annotations

import collections
import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from bosquet.bots.protocol import VERSION, Bestmove, FromBot, Game, Go, Hello, Info, Message, Position, Quit
from bosquet.bots.traces import last_frames
from bosquet.core.errors import BosquetError, quoted
from bosquet.core.system.files import OWNER_ONLY, whole_file

START_SECONDS = 30.0
"""A program must say hello within this time after its start."""
QUIT_SECONDS = 1.0
"""A program that has not ended so long after `quit` is killed."""
END_SECONDS = 3.0
"""How long a program that closed its output may take to end; Python needs more than a second on a busy machine."""
MOST_BYTES = 1 << 20
"""A bot must not write more than this for one decision."""
LINES_AHEAD = 64
"""Maximum number of lines of a bot that are read ahead; beyond it the bot has to wait."""
MEBIBYTE = 1 << 20
BETWEEN_LOOKS = 0.1
"""Seconds until it is looked again whether a program that is silent still runs."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LOG = "BOSQUET_BOT_LOG"
"""Variable of the environment with the file to which what bots print is appended; processes that play inherit it."""
NAMES_ERROR = re.compile(r"(Uncaught )?[\w$.]*(Error|Exception)\b|panic: ")
"""The start of a line on standard error that names an error: in Python, JavaScript, Java, C# and Go."""


class BotError(BosquetError):
    """A bot that gave no legal move in time, named where it is known.

    `reason` says why, in one line: with the error that it wrote and where that was. Its process has ended.
    """

    def __init__(self, reason: str, name: str | None = None) -> None:
        super().__init__(reason if name is None else f"the bot {quoted(name, 200)} {reason}")
        self.reason = reason


class Limits(NamedTuple):
    """What a bot in a process of its own may use."""

    seconds: float = 10.0
    """Time for a decision."""
    mebibytes: int = 4096
    """Memory of each of its processes. Linux keeps this limit, other systems do not."""


DEFAULT_LIMITS = Limits()


def keep_log(path: Path | None, *, force: bool = False) -> None:
    """Keep in a new file what the bots that this process and its children start print; None keeps nothing.

    Raises BosquetError if it is there already and `force` is not given, or can't be written.
    """
    if path is not None:
        with whole_file(path, force=force, mode=OWNER_ONLY):
            os.environ[LOG] = str(path.absolute())


_running: weakref.WeakSet[Program] = weakref.WeakSet()


def kill_all() -> None:
    """Kill all programs that this process has started, also those that think; for the end of this process."""
    for program in list(_running):
        program.kill()


class Program:
    """A running bot. Every method but `close` raises BotError if the bot fails."""

    def __init__(self, name: str, command: Sequence[str], limits: Limits) -> None:
        """Start a program and exchange greetings; it is called `name` where what it prints is kept."""
        self.limits = limits
        self._name = name
        self._decisions = 0
        self._closed = False
        self._lines: queue.Queue[bytes] = queue.Queue(LINES_AHEAD)
        self._orders: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._complaints: collections.deque[str] = collections.deque(maxlen=20)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=os.name != "nt"
            )
        except (OSError, ValueError) as error:
            raise BotError(f"can't be started: {error}") from None
        _running.add(self)
        _limit_memory(self._process.pid, limits.mebibytes)
        self._listener = self._thread(self._keep_complaints, self._process.stderr)
        self._thread(self._read, self._process.stdout)
        self._thread(self._write, self._process.stdin)
        self._greet()

    def begin(self, game: Game) -> None:
        """Tell the bot that a game begins."""
        self._send(game)

    def decide(self, view: bytes, seed: int) -> str:
        """Return what the bot answers to a view, given as JSON. It may be no legal move."""
        self._decisions += 1
        seconds = self.limits.seconds
        self._send(Position(view=msgspec.Raw(view)))
        self._send(Go(id=self._decisions, seconds=seconds, seed=seed))
        answer = self._receive(seconds, "move")
        if not isinstance(answer, Bestmove):
            raise self.failed("said hello instead of a move")
        if answer.id != self._decisions:
            raise self.failed(f"answered decision {answer.id}; decision {self._decisions} was asked for")
        return answer.move

    def failed(self, reason: str) -> BotError:
        """Kill the program; return the error to raise."""
        self._end(at_once=True)
        return BotError(reason)

    @property
    def runs(self) -> bool:
        """Return whether the program has not ended."""
        return self._process.poll() is None

    @property
    def left(self) -> bool:
        """Return whether the program has ended without an error after it made moves, as when a game is over."""
        return self._decisions > 1 and self._process.poll() == 0

    def close(self) -> None:
        """Ask the program to end, and kill it if it does not."""
        if not self._closed:
            self._send(Quit())
            self._end(at_once=False)

    def kill(self) -> None:
        """Kill all processes of the program, without waiting for their end."""
        if os.name == "nt":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _greet(self) -> None:
        self._send(Hello(protocol=VERSION, bosquet=version("bosquet")))
        answer = self._receive(START_SECONDS, "hello")
        if not isinstance(answer, Hello):
            raise self.failed("sent a move before it said hello")
        if answer.protocol != VERSION:
            raise self.failed(f"speaks version {answer.protocol} of the protocol; this bosquet speaks {VERSION}")

    def _send(self, message: Message) -> None:
        self._orders.put(msgspec.json.encode(message) + b"\n")

    def _receive(self, seconds: float, what: str) -> Hello | Bestmove:
        """Return the next message that is no info."""
        deadline = time.monotonic() + seconds
        size = 0
        while True:
            try:
                line = self._next_line(deadline)
            except queue.Empty:
                raise self.failed(f"sent no {what} within {seconds:g} s") from None
            size += len(line)
            if not line:
                raise self.failed(self._cause_of_end())
            if size > MOST_BYTES:
                raise self.failed(f"wrote more than {MOST_BYTES} bytes without a {what}")
            try:
                message: FromBot = msgspec.json.decode(line, type=FromBot)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                text = line.decode(errors="replace").rstrip("\n")
                raise self.failed(f"sent {quoted(text)}, which is no message: {error}") from None
            if not isinstance(message, Info):
                return message

    def _next_line(self, deadline: float) -> bytes:
        """Return the next line, empty if the program has ended: its children may hold its output. Raises Empty."""
        while True:
            ended = not self.runs
            left = max(0.0, deadline - time.monotonic())
            try:
                return self._lines.get(timeout=min(left, BETWEEN_LOOKS))
            except queue.Empty:
                if ended:
                    return b""
                if left == 0.0:
                    raise

    def _cause_of_end(self) -> str:
        """Return why there is no more output, with the last error on standard error and its place, or the last line."""
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._listener.join(QUIT_SECONDS)
        ended = f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal_name(-code)}"
        complaints = [line.strip() for line in self._complaints if line.strip()]
        named = [line for line in complaints if NAMES_ERROR.match(line)]
        if not complaints:
            return ended
        places = last_frames(list(self._complaints))
        return f"{ended}: {quoted((named or complaints)[-1], 200)}" + (f", {', from '.join(places)}" if places else "")

    def _end(self, *, at_once: bool) -> None:
        """Wait a little for the end of the process unless it has to be at once; then kill all its processes."""
        self._closed = True
        self._orders.put(None)
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_SECONDS)
        self.kill()
        self._process.wait()
        _running.discard(self)
        with contextlib.suppress(queue.Empty):
            while True:  # the thread that reads may wait for room
                self._lines.get_nowait()

    # --- threads: a pipe that the other side neglects blocks only them ---

    def _thread(self, work: Callable[[IO[bytes]], None], stream: IO[bytes] | None) -> threading.Thread:
        assert stream is not None
        thread = threading.Thread(target=work, args=(stream,), daemon=True)
        thread.start()
        return thread

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            first = True
            while (line := stream.readline(MOST_BYTES + 1)) and not self._closed:
                self._lines.put(line.removeprefix(BYTE_ORDER_MARK) if first else line)
                first = False
        self._lines.put(b"")

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:  # who does not read has ended; reading tells why
            while (order := self._orders.get()) is not None:
                stream.write(order)
                stream.flush()

    def _keep_complaints(self, stream: IO[bytes]) -> None:
        with stream, _log() as log:
            while line := stream.readline(1000):
                self._complaints.append(line.decode(errors="replace"))
                if log is not None:
                    log.write(f"{self._name}: ".encode(errors="replace") + line.removesuffix(b"\n") + b"\n")


def _log() -> contextlib.AbstractContextManager[IO[bytes] | None]:
    """Open the file in which what bots print is kept, if that was asked for: each line is written at once."""
    path = os.environ.get(LOG)
    with contextlib.suppress(OSError):  # a bot plays on if its log can't be written
        return open(path, "ab", buffering=0) if path else contextlib.nullcontext()
    return contextlib.nullcontext()


def _limit_memory(process: int, mebibytes: int) -> None:
    """Limit what a process may allocate, where the system can do that for another process."""
    try:
        import resource

        # The address space is no measure: Node reserves much more of it than it uses.
        resource.prlimit(process, resource.RLIMIT_DATA, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))
    except (ImportError, AttributeError, ProcessLookupError, ValueError, PermissionError):
        return


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
