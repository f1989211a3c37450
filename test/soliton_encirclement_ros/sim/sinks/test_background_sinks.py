"""Sinks in a thread get every chunk in order, unchanged, and their errors reach the caller."""

import threading

import numpy as np
import pytest

from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import MAX_WAITING, BackgroundSinks
from support.chunks import fly_in_chunks, lively

(CHUNK,) = fly_in_chunks(lively(run={'sim_duration': 0.1}), 10)


class Recorder:
    """A sink that keeps the first time of every chunk; it fails at the chunks in ``bad``."""

    def __init__(self, *bad: float) -> None:
        self.bad = bad
        self.times: list[float] = []
        self.closed = 0
        self.threads: set[int] = set()
        self.is_asked, self.may_write = threading.Event(), threading.Event()
        self.may_write.set()

    def write(self, chunk: Chunk) -> None:
        self.is_asked.set()
        self.may_write.wait()
        self.threads.add(threading.get_ident())
        time = float(chunk.times[0])
        if time in self.bad:
            raise ValueError(f'bad chunk {time}')
        self.times.append(time)

    def close(self) -> None:
        self.closed += 1


def starting_at(time: float) -> Chunk:
    return CHUNK._replace(times=np.full(len(CHUNK.times), time))


def test_a_thread_writes_every_chunk_in_order() -> None:
    one, other = Recorder(), Recorder()
    sinks = BackgroundSinks([one, other])
    for time in range(20):
        sinks.write(starting_at(time))
    sinks.close()
    assert one.times == other.times == list(range(20))
    assert (one.closed, other.closed) == (1, 1)
    assert one.threads == other.threads != {threading.get_ident()}


def test_arrays_may_be_used_again_after_write() -> None:
    sink = Recorder()
    sink.may_write.clear()
    sinks, chunk = BackgroundSinks([sink]), starting_at(1.0)
    sinks.write(chunk)
    chunk.times[:] = 2.0
    sink.may_write.set()
    sinks.close()
    assert sink.times == [1.0]


def test_a_slow_sink_makes_the_engine_wait() -> None:
    """With one chunk in the sink and as many waiting behind it there is no room for another."""
    sink = Recorder()
    sink.may_write.clear()
    sinks = BackgroundSinks([sink])
    for time in range(MAX_WAITING + 1):
        sinks.write(starting_at(time))
    late = threading.Thread(target=sinks.write, args=(starting_at(MAX_WAITING + 1),))
    late.start()
    late.join(0.2)
    assert late.is_alive()
    sink.may_write.set()
    late.join()
    sinks.close()
    assert sink.times == list(range(MAX_WAITING + 2))


def test_an_error_is_raised_soon_and_at_the_end() -> None:
    sink = Recorder(3.0)
    sinks = BackgroundSinks([sink])
    with pytest.raises(ValueError, match='bad chunk 3'):  # noqa: PT012
        for time in range(100):
            sinks.write(starting_at(time))
    with pytest.raises(ValueError, match='bad chunk 3'):
        sinks.close()
    assert sink.times[:3] == [0.0, 1.0, 2.0] and len(sink.times) < 10
    assert sink.closed == 1


def test_without_a_chunk_there_is_no_thread() -> None:
    sink, threads = Recorder(), {*threading.enumerate()}
    sinks = BackgroundSinks([sink])
    assert {*threading.enumerate()} <= threads
    sinks.close()
    assert (sink.times, sink.closed) == ([], 1)
