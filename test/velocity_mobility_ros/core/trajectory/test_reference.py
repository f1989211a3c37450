"""The rules against the reference tables: step by step, in whole runs, and the robust variant."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.polyline.runs import fly, name_of, number, settings_of, start_of, vertices_of
from support.reference import reference_folder
from velocity_mobility_ros.core.trajectory.polyline_follower import follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import PathState

ORIGINAL = (
    'untimed_20m_ts5', 'untimed_20m_default_speed', 'untimed_L_turn_ts5', 'untimed_pedestrian',
    'timed_final_20m_12s', 'timed_final_20m_6s', 'timed_intermediate_then_untimed',
    'timed_two_timed', 'untimed_mid_timed_final', 'closed_star', 'zero_distance', 'zero_time',
    'brake_inside_threshold', 'err_stuck_short', 'ok_waiting_near_previous',
    'err_impossible_time_final', 'err_missed_arrival', 'err_follow_mode', 'err_nan_vertex',
    'start_moving_ts5', 'start_too_fast', 'too_close_to_stop', 'dt_1_30', 'dt_0_1_uav_timed',
    'vertical_climb', 'rand_tf_0', 'rand_u_2', 'rand_tf_11', 'rand_u_13', 'rand_ti_22',
)  # fmt: skip

ROBUST = (
    'untimed_20m_ts5', 'timed_final_20m_12s', 'untimed_3d_uav', 'dt_1_30', 'rand_u_2',
    'rand_u_13', 'too_close_to_stop', 'err_impossible_time', 'start_too_fast', 'timed_two_timed',
    'asym_uav', 'asym_timed',
)  # fmt: skip

VALIDATED_FIRST = {'err_nan_vertex': 'NON_FINITE_VERTEX'}
"""What the original reports only after it has planned with NaN."""

LONG = {'rand_tf_0', 'rand_tf_11', 'closed_star', 'asym_uav', 'dt_1_30'}


def marked(names: tuple[str, ...]) -> list[Any]:
    """Return the runs, the long ones for the night."""
    return [pytest.param(name, marks=[pytest.mark.nightly] * (name in LONG)) for name in names]


@pytest.fixture
def table(reference) -> dict[str, Any]:
    """Return the reference table."""
    return reference('polyline.json')


def named(runs: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(run for run in runs if run['name'] == name)


def end_of(run: dict[str, Any]) -> str:
    ends = {'DONE': 'FINISHED', 'STILL_RUNNING_AT_LIMIT': 'MOVED'}
    return VALIDATED_FIRST.get(run['name']) or ends.get(run['end']) or run['error_code']


def numbers(state: PathState) -> list[float]:
    return [
        state.time, *state.position, *state.attitude, state.speed, state.acceleration,
        *state.angular_velocity, state.progress.left, state.progress.base_time,
    ]  # fmt: skip


def restarted(vertices: NDArray[np.float64], run: dict[str, Any], row: list[Any]) -> PathState:
    """Return a body with the numbers of a row."""
    n = list(map(number, row))
    begun = start_of(run)
    gone = passed_of(run, row) if run['closed'] else len(vertices) - int(n[13])
    progress = begun.progress._replace(
        first=gone % len(vertices), left=int(n[13]), passed=gone, base_time=n[14]
    )
    return begun._replace(
        time=n[0], position=tuple(n[1:4]), attitude=tuple(n[4:8]), speed=n[8],
        acceleration=n[9], angular_velocity=tuple(n[10:13]), progress=progress,
    )  # fmt: skip


def passed_of(run: dict[str, Any], row: list[Any]) -> int:
    """Return how many vertices a body on a closed polyline has passed, from a flight."""
    flight = whole(run['name'], vertices_of(run), start_of(run), settings_of(run, original=True))
    return min(flight, key=lambda state: abs(state.time - row[0])).progress.passed


FLIGHTS: dict[str, list[PathState]] = {}


def whole(name: str, *arguments: Any) -> list[PathState]:
    """Return the states of a flight, flown once."""
    if name not in FLIGHTS:
        FLIGHTS[name] = fly(*arguments, steps=700).states
    return FLIGHTS[name]


def test_every_run_of_the_tables_is_compared(table):
    if reference_folder() is None:
        pytest.skip('no reference tables')
    assert {run['name'] for run in table['scenarios']} == set(ORIGINAL)
    assert {run['name'] for run in table['robust_variant_R']['scenarios']} == set(ROBUST)


@pytest.mark.parametrize('name', ORIGINAL)
def test_original_step_by_step(table, name):
    """Every row that follows another one is reached from it within 1e-9."""
    run = named(table['scenarios'], name)
    vertices, settings = vertices_of(run), settings_of(run, original=True)
    rows = dict(zip(run['row_index'], run['rows'], strict=True))
    compared = 0
    for k, row in rows.items():
        if k - 1 in rows:
            before = restarted(vertices, run, rows[k - 1])
        elif k == 1:
            before = start_of(run)
        else:
            continue
        found = follow_step(vertices, before, settings)
        assert name_of(found.code) == 'MOVED'
        assert numbers(found.state) == pytest.approx(
            list(map(number, row)), rel=0.0, abs=1e-9, nan_ok=True
        )
        compared += 1
    assert compared >= min(18, len(rows))
    if rows:
        last = restarted(vertices, run, rows[max(rows)])
        expected = end_of(run)
        assert name_of(follow_step(vertices, last, settings).code) == expected


@pytest.mark.one_in(6)
@pytest.mark.parametrize('name', marked(ORIGINAL))
def test_original_in_whole_runs(table, name):
    """Without restarts it ends alike, and is within 1e-3 m and m/s all the way; ties apart."""
    run = named(table['scenarios'], name)
    calls = run['calls_returning_a_state']
    running = run['end'] == 'STILL_RUNNING_AT_LIMIT'
    flight = fly(
        vertices_of(run), start_of(run), settings_of(run, original=True),
        calls if running else calls + 5,
    )  # fmt: skip
    assert flight.end == end_of(run)
    assert len(flight.states) - 1 == calls
    for k, row in zip(run['row_index'], run['rows'], strict=True):
        state = flight.states[k]
        assert math.dist(state.position, row[1:4]) < 1e-3
        assert state.speed == pytest.approx(row[8], abs=2e-3)
        assert state.progress.left == row[13]


@pytest.mark.parametrize('name', marked(ROBUST))
def test_robust_variant_in_whole_runs(table, name):
    run = named(table['robust_variant_R']['scenarios'], name)
    vertices, settings = vertices_of(run), settings_of(run, original=False)
    flight = fly(vertices, start_of(run), settings)
    assert flight.end == 'FINISHED'
    assert len(flight.states) - 1 == run['calls']
    for k, row in zip(run['row_index'], run['rows'], strict=True):
        state = flight.states[k]
        assert state.time == pytest.approx(row[0], abs=1e-9)
        assert math.dist(state.position, row[1:4]) < 1e-3
        assert state.speed == pytest.approx(row[4], abs=2e-3)
        assert state.progress.left == row[6]
    first_late = next((one for one in flight.states if one.progress.waived), None)
    late = first_late.progress.lateness if first_late else 0.0
    assert late == pytest.approx(run['late_detected_s'], abs=1e-9)
