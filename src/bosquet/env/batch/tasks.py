"""Tasks that threads get from the thread that leads them, without Python in between.

Each thread has a box, a number that says what it is to do. The threads but the leader watch their box in compiled code
for a while after every task; then they are asleep, and Python has to wake them. If Python is interrupted, it does
everything again, which leaves alone what was done.
"""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.atomic import exchange_if
from bosquet.kernels.jit import kernel

APART = 16
"""Numbers between two boxes, so that no two threads write into the same line of the cache."""
FOUND = 8
"""Where the result of a task is, after the box."""
WOKEN = 1
"""Where it says whether the thread was asleep when it got its task, after the box."""
LEADER = 0
"""The number of the thread that gives tasks to the others."""
WATCHES = 30_000
"""Looks at a box before its thread falls asleep: a tenth of a millisecond or two."""

ASLEEP = 0
AWAKE = 1
"""What a box says if there is nothing to do. All other numbers are tasks."""


@kernel
def give_all(boxes: Numbers, threads: int, task: int) -> None:
    """Give a task to all threads, unless the leader has got it already."""
    if boxes[LEADER] != ASLEEP:
        return
    for thread in range(1, threads):
        box = APART * thread
        asleep = exchange_if(boxes, box, AWAKE, task) == ASLEEP
        if asleep:
            exchange_if(boxes, box, ASLEEP, task)
        boxes[box + WOKEN] = int(asleep)
    boxes[LEADER] = task


@kernel
def take(boxes: Numbers, thread: int) -> int:
    """Return the task of a thread as soon as there is one, or AWAKE if it has fallen asleep, or was woken for none."""
    for _ in range(WATCHES):
        task = exchange_if(boxes, APART * thread, AWAKE, AWAKE)
        if task == ASLEEP:
            return AWAKE
        if task != AWAKE:
            return task
    return exchange_if(boxes, APART * thread, AWAKE, ASLEEP)


@kernel
def finish(boxes: Numbers, thread: int, task: int, found: int) -> None:
    """Tell the result of a task."""
    boxes[APART * thread + FOUND] = found
    exchange_if(boxes, APART * thread, task, AWAKE)


@kernel
def all_finished(boxes: Numbers, threads: int) -> bool:
    """Wait a while for all threads from 1 to `threads - 1`; return whether they have finished their tasks."""
    for thread in range(1, threads):
        watched = 0
        while exchange_if(boxes, APART * thread, AWAKE, AWAKE) > AWAKE:
            watched += 1
            if watched == WATCHES:
                return False
    return True
