"""Work in stages, so that the agents of a process do each stage one after the other.

The code and the data of a whole tick do not fit into a processor's caches. Where fifty agents do
one stage of it before any of them begins the next, the stage stays there.
"""

from collections.abc import Generator, Iterable
from typing import TypeVar

Result = TypeVar('Result')

Stages = Generator[None, None, Result]
"""Work that may pause at the end of each stage, and its result."""

OVER = object()


def run_through(stages: Stages[Result]) -> Result:
    """Return the result of work that makes no pause."""
    while True:
        try:
            next(stages)
        except StopIteration as end:
            return end.value


def run_together(works: Iterable[Stages[object]]) -> None:
    """Let all do their first stage, one after the other, then those that go on the second one."""
    waiting = list(works)
    while waiting:
        waiting = [work for work in waiting if next(work, OVER) is not OVER]
