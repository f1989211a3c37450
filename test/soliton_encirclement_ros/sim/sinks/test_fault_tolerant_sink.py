"""A sink that ends at its first error, says so once, and lets the flight go on."""

import errno
from pathlib import Path

import pytest

from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import FaultTolerantSink
from support.chunks import fly_in_chunks, lively

(CHUNK,) = fly_in_chunks(lively(run={'sim_duration': 0.1}), 10)
FULL = OSError(errno.ENOSPC, 'No space left on device')
LINE = (
    'runs/x: cannot write: No space left on device; it ends here, everything before is kept: '
    'free disk space and run again'
)


class Told:
    """A sink that notes what it is told and fails at some step."""

    def __init__(self, breaks_at: str = '', error: OSError = FULL) -> None:
        """Break at a step such as ``write``."""
        self.steps: list[str] = []
        self._breaks_at, self._error = breaks_at, error

    def write(self, chunk: Chunk) -> None:
        """Note it."""
        del chunk
        self._step('write')

    def close(self) -> None:
        """Note it."""
        self._step('close')

    def _step(self, step: str) -> None:
        self.steps.append(step)
        if step == self._breaks_at:
            raise self._error


def fly(told: Told) -> FaultTolerantSink:
    """Write two chunks and close, twice."""
    sink = FaultTolerantSink(lambda: told, Path('runs/x'))
    for _ in range(2):
        sink.write(CHUNK)
    sink.close()
    sink.close()
    return sink


def test_a_sink_that_works_is_closed_once() -> None:
    told = Told()
    assert fly(told).error == ''
    assert told.steps == ['write', 'write', 'close']


@pytest.mark.parametrize(
    ('step', 'steps'),
    [('write', ['write', 'close']), ('close', ['write', 'write', 'close', 'close'])],
)
def test_the_first_error_ends_it(step: str, steps: list[str]) -> None:
    told = Told(step)
    assert fly(told).error == LINE
    assert told.steps == steps


def test_a_sink_that_cannot_be_created_takes_nothing() -> None:
    def create() -> Told:
        raise FULL

    sink = FaultTolerantSink(create, Path('runs/x'))
    sink.write(CHUNK)
    sink.close()
    assert sink.error == LINE


def test_an_error_of_many_lines_is_told_in_one() -> None:
    error = fly(Told('write', OSError('so much\n  to say'))).error
    assert error.startswith('runs/x: cannot write: so much to say; it ends here')


def test_what_is_no_error_of_the_disk_is_not_hidden() -> None:
    told = Told('write')
    told._error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        fly(told)
