"""How much the commands of agents change."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    CHANGE, EFFORT_COLUMNS, JERK, CommandRecord, effort_facts, no_effort, note_effort
)
from soliton_encirclement_ros.sim.compilation.compiled import compiled

PERIOD = 0.05
STOP = (0.0, 0.0, 0.0)
COMMANDS = st.lists(st.tuples(*[st.floats(0.1, 10.0)] * 3), min_size=3, max_size=20)


def row_of(*commands: tuple[float, float, float]) -> list[float]:
    """Return the row of an agent after its commands."""
    row = no_effort()
    for command in commands:
        note_effort(row, *command)
    return row


@given(COMMANDS)
def test_they_are_the_differences_of_numpy(commands) -> None:
    """The first and the second difference, over the period."""
    facts = effort_facts([row_of(*commands)], PERIOD)
    first, second = np.diff(commands, axis=0), np.diff(commands, 2, axis=0)
    change = math.sqrt(np.mean(np.sum(first**2, axis=1)))
    jerk = math.sqrt(np.mean(np.sum(second**2, axis=1))) / PERIOD**2
    assert facts[CHANGE] == pytest.approx(change, abs=1e-12)
    assert facts[JERK] == pytest.approx(jerk, abs=1e-9)


@pytest.mark.parametrize('stop', [STOP, (math.nan, 1.0, 0.0), (1.0, math.inf, 0.0)])
def test_stops_and_returns_of_an_agent_do_not_count(stop) -> None:
    """What a failure does to the command says nothing of the law."""
    part = ((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    row = row_of(*part, stop, stop, *part)
    assert effort_facts([row], PERIOD) == effort_facts([row_of(*part)], PERIOD)
    assert np.isfinite(row).all()


def test_agents_count_by_their_commands() -> None:
    """Three changes of 1 m/s, and one of 3."""
    slow = row_of((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (4.0, 0.0, 0.0))
    fast = row_of((1.0, 0.0, 0.0), (4.0, 0.0, 0.0))
    assert effort_facts([slow, fast, no_effort()], PERIOD)[CHANGE] == math.sqrt(12.0 / 4.0)


def test_it_is_unknown_without_commands_or_without_their_period() -> None:
    """One command has no change, two have no jerk, and without a period nobody knows it."""
    nothing = {CHANGE: None, JERK: None}
    assert effort_facts([], PERIOD) == effort_facts([row_of((1.0, 0.0, 0.0))], PERIOD) == nothing
    two = row_of((1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    assert effort_facts([two], PERIOD) == {CHANGE: 1.0, JERK: None}
    three = row_of((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    assert effort_facts([three], math.nan)[JERK] is None


@given(COMMANDS)
def test_compiled_it_is_the_same(commands) -> None:
    """The engine's way in."""
    row, plain = np.zeros(EFFORT_COLUMNS), no_effort()
    for command in (*commands, STOP, *commands):
        compiled(note_effort)(row, *command)
        note_effort(plain, *command)
    assert row.tolist() == plain


def test_faults_are_counted_and_changes_of_each_agent_are_its_own():
    record = CommandRecord(2, 0.5)
    for velocity in ((1.0, 0.0, 0.0), (20.0, 0.0, 0.0), (math.nan, 0.0, 0.0)):
        record.note(1, velocity, 10.0, 4.0)
    for speed in (1.0, 2.0, 4.0):
        record.note(2, (0.0, speed, 0.0), 10.0, 4.0)
    assert record.facts == {
        'commands_beyond_limits': 1,
        'commands_not_finite': 1,
        CHANGE: math.sqrt((19.0**2 + 1.0 + 4.0) / 3.0),
        JERK: 1.0 / 0.25,
    }
