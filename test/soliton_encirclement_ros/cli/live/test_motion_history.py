"""The motion that a live page keeps: rows on one grid of times, holes as holes."""

import numpy as np
import pytest

from soliton_encirclement_ros.cli.live.swarm_picture import (
    COLUMNS, LONGEST_JUMP, MOST_ROWS, STEP, MotionHistory
)

FLAGS = COLUMNS.index('flags')


def body(x, flags=0.0):
    return (x, 0.0, 5.0, 1.0, 0.5, flags, -1.0, -1.0)


def test_rows_between_two_looks_are_filled_in_and_flags_change_at_the_look():
    history = MotionHistory()
    first, rows = history.add(10.0, [body(0.0)])
    assert (first, rows.shape) == (0, (1, 1, len(COLUMNS)))
    index, rows = history.add(10.0 + 4 * STEP, [body(4.0, flags=1.0)])
    assert index == 1
    assert rows[:, 0, 0].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert rows[:, 0, FLAGS].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert (history.begin, history.count) == (10.0, 5)
    assert history.end == pytest.approx(10.0 + 4 * STEP)


def test_nothing_is_new_at_a_time_that_was_seen():
    history = MotionHistory()
    history.add(0.0, [body(0.0)])
    history.add(0.2, [body(1.0)])
    assert len(history.add(0.1, [body(9.0)])[1]) == 0
    assert history.values[:, 0, 0].tolist() == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_over_a_long_silence_nobody_has_moved_straight_on():
    history = MotionHistory()
    history.add(0.0, [body(0.0)])
    _, rows = history.add(LONGEST_JUMP + 1.0, [body(6.0)])
    assert np.isnan(rows[:-1]).all() and rows[-1, 0, 0] == 6.0


def test_who_comes_later_is_unknown_before():
    history = MotionHistory()
    history.add(0.0, [body(0.0)])
    history.add(STEP, [body(0.1), body(7.0)])
    assert np.isnan(history.values[0, 1]).all() and history.values[1, 1, 0] == 7.0


def test_of_a_long_flight_the_last_minutes_are_kept_at_their_times():
    history = MotionHistory()
    for k in range(MOST_ROWS + 10):
        first, rows = history.add(k * STEP, [body(float(k))])
        assert first + len(rows) == history.count
    assert history.count <= MOST_ROWS
    assert history.values[-1, 0, 0] == MOST_ROWS + 9
    oldest = history.values[0, 0, 0]
    assert history.begin == pytest.approx(oldest * STEP)
    assert history.end == pytest.approx((MOST_ROWS + 9) * STEP)
