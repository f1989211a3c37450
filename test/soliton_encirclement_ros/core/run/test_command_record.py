"""Commands of all agents that are out of bounds, and how much they change."""

import math

from soliton_encirclement_ros.core.run.command_record import CommandRecord
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE, JERK


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
