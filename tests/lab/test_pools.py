"""Worker processes: what goes wrong with them is said."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import context
from pathlib import Path
from typing import Any

import pytest

from bosquet.lab.pools import pool

SCRIPT = """
from bosquet.lab.matches import Match, outcomes
print(len(list(outcomes(Match("topiary", {"players": 2}, ["random"], 1).checked(), 40, workers=2))))
"""


def run(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    environment = os.environ | {"BOSQUET_JIT": "0"}
    return subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_a_script_that_does_not_ask_for_its_name_is_told_so(tmp_path: Path) -> None:
    done = run(tmp_path, SCRIPT)
    *_, last = done.stderr.splitlines()
    assert "a worker process has died; worker processes import the script" in last
    assert 'if __name__ == "__main__":' in last
    assert "memory" not in done.stderr
    assert done.stderr.count("Traceback") == 1  # that of the script itself


@pytest.mark.slow
def test_a_script_that_asks_for_its_name_plays(tmp_path: Path) -> None:
    body = SCRIPT.strip().replace("\n", "\n    ")
    done = run(tmp_path, f'if __name__ == "__main__":\n    {body}\n')
    assert done.stdout == "40\n", done.stderr


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Windows gives no signal to a thread")
@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_interrupt_while_a_worker_starts_ends_that_worker(monkeypatch: pytest.MonkeyPatch, elsewhere: bool) -> None:
    """A worker that nobody knew of went on, and failed with a traceback when its parent was gone."""
    started = []
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    receiver = (other if elsewhere else threading.main_thread()).ident
    assert receiver is not None
    spawn = context.SpawnProcess._Popen

    def interrupted(process: Any) -> Any:
        popen = spawn(process)
        started.append(popen)
        signal.pthread_kill(receiver, signal.SIGINT)
        time.sleep(0.05)  # until another thread has taken it
        return popen

    monkeypatch.setattr(context.SpawnProcess, "_Popen", staticmethod(interrupted))
    with pytest.raises(KeyboardInterrupt), pool(workers=2) as given:
        given.executor.submit(os.getpid)
    done.set()
    assert len(started) == 1
    assert started[0].poll() is not None
    assert not multiprocessing.active_children()


def test_an_interrupt_while_the_pool_starts_is_all_that_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any) -> None:
        self._executor_manager_thread = threading.Thread()
        raise KeyboardInterrupt

    monkeypatch.setattr(ProcessPoolExecutor, "_start_executor_manager_thread", interrupted)
    with pytest.raises(KeyboardInterrupt), pool(workers=2) as given:
        given.executor.submit(os.getpid)
