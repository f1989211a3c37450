"""Several simulated flights in one bag are told apart by the simulated clock."""

from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_clock import flights
from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.bags import Raw, Scribe, flight, raw_messages, write_bag

SECOND = 10**9
NOON = 1_700_000_000 * SECOND
CLOCK = 'rosgraph_msgs/msg/Clock'


def simulated(begin_s: int, count: int, pace: float = 1.0, radius: float = 5.0) -> list[Raw]:
    """Return a flight at simulated times from 0, logged by the clock on the wall."""
    scribe = Scribe()
    messages = []
    for raw in flight(scribe, start_ns=0, count=count, latency_ns=0):
        logged = NOON + begin_s * SECOND + round(raw.time_ns / pace)
        if raw.topic.endswith('odom'):
            messages.append(Raw('/clock', CLOCK, logged, scribe.clock(raw.time_ns)))
        messages.append(raw._replace(time_ns=logged + 1_000_000))
    return messages


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    """Return a bag with a flight of 4 s and one of 2 s, the second at twice the pace."""
    return write_bag(tmp_path / 'bag', simulated(0, 201) + simulated(60, 101, pace=2.0))


def test_the_last_flight_is_read_and_the_others_are_named(bag: Path) -> None:
    recording = read_recording(bag)
    assert recording.problems == (
        'simulated time begins anew: 2 flights, of 4, 2 s; only flight 2 is looked at; --flight '
        'chooses another',
    )
    track = recording.members['uav_1'].track
    assert np.allclose(track.time, np.arange(101) * 0.02)
    assert recording.duration == pytest.approx(2.0, abs=0.01)
    assert {topic.count for topic in recording.topics} == {101}


@pytest.mark.parametrize(('number', 'count'), [(1, 201), (2, 101)])
def test_each_flight_is_what_it_is_on_its_own(
    bag: Path, tmp_path: Path, number: int, count: int
) -> None:
    early = NOON + 30 * SECOND
    alone = [raw for raw in raw_messages(bag) if (raw.time_ns < early) == (number == 1)]
    expected = read_recording(write_bag(tmp_path / 'alone', alone))
    found = read_recording(bag, flight=number)
    assert expected.problems == () and len(found.problems) == 1
    assert found.topics == expected.topics and found.duration == expected.duration
    one, other = found.members['uav_1'], expected.members['uav_1']
    assert len(one.track.time) == count
    for mine, theirs in ((one.track, other.track), (one.commands, other.commands)):
        assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


@pytest.mark.parametrize('number', [0, 3])
def test_a_flight_that_is_not_there_is_refused(bag: Path, number: int) -> None:
    with pytest.raises(RunError, match=f'^--flight {number}: the bag holds flights 1 to 2, each'):
        read_recording(bag, flight=number)


def test_without_a_restart_there_is_one_flight(tmp_path: Path) -> None:
    bags = [
        write_bag(tmp_path / 'simulated', simulated(0, 101)),
        write_bag(tmp_path / 'real', flight(Scribe())),
    ]
    for bag in bags:
        assert read_recording(bag, flight=1).problems == ()
        with pytest.raises(RunError, match='one flight'):
            read_recording(bag, flight=2)


def ticks(*told_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Return when ticks were logged, every 50 ms, and what they told [ns]."""
    told = np.rint(np.array(told_s) * SECOND).astype(np.int64)
    return NOON + np.arange(len(told)) * 50_000_000, told


def test_what_comes_before_the_first_tick_belongs_to_the_next_flight() -> None:
    logged, told = ticks(*np.arange(40) * 0.05, *np.arange(40) * 0.05)
    logged[40:] += 10 * SECOND
    first, second = flights(logged, told)
    assert first.end == second.begin == logged[39] + SECOND
    assert (first.duration, second.duration) == pytest.approx((1.95, 1.95))


@pytest.mark.parametrize('wrong', [3600.0, 0.0])
def test_a_single_wrong_tick_is_no_new_flight(wrong: float) -> None:
    told = 100.0 + np.arange(60) * 0.05
    told[30] = wrong
    assert len(flights(*ticks(*told))) == 1


def test_a_bag_logged_at_simulated_time_or_without_ticks_is_one_flight() -> None:
    _, told = ticks(*np.arange(40) * 0.05, *np.arange(40) * 0.05)
    assert len(flights(told, told)) == len(flights(told[:0], told[:0])) == 1
