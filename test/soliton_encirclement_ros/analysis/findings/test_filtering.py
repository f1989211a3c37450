"""The separation filter in a recording."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.findings.filtering import filtered_share
from soliton_encirclement_ros.analysis.recording import Telemetry
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE
from soliton_encirclement_ros.core.run.separation.flight_bounds import BEYOND, NOT_FINITE
from support.chunks import lively
from support.recorded.recordings import recording_of

AT = np.array([0.0, 1.0, 2.0, 3.0])


def told(failed: list[bool], reasons: list[float] | None) -> Telemetry:
    """Return the telemetry of an agent at 1, 2 and 3 s."""
    none, rest = np.zeros((3, 3)), np.zeros(3)
    values = {} if reasons is None else {'filter_reason': np.array(reasons)}
    return Telemetry(AT[1:], none, none, np.array(failed), rest, rest, values)


def test_the_share_is_of_those_that_fly():
    one, other = told([False] * 3, [0.0, 1.0, 6.0]), told([False, True, True], [5.0, 0.0, 0.0])
    found = filtered_share({1: one, 2: other, 3: told([False] * 3, None)}, AT)
    np.testing.assert_array_equal(found, [np.nan, 0.5, 1.0, 1.0])


def test_it_is_unknown_if_nobody_tells():
    assert np.isnan(filtered_share({1: told([False] * 3, None)}, AT)).all()


@pytest.fixture(scope='module')
def crowded():
    """Return a flight on a narrow ring."""
    return recording_of(lively(swarm={'encirclement_radius': 4.0}))


def test_the_mean_over_time_is_the_share_of_all_commands(crowded):
    found = find(crowded)
    up = np.array([~one.telemetry.failed for name, one in crowded.members.items()
                   if name.startswith('uav')])  # fmt: skip
    weighed = np.nansum(found.series['filtered'] * up.sum(axis=0)) / up.sum()
    assert weighed == pytest.approx(found.summary['filtered_share'], abs=1e-12)
    assert weighed > 0.02
    assert found.summary['filtered_pairs'][0]['count'] > 0


def test_commands_out_of_bounds_are_counted_by_what_was_sent(crowded):
    commands = crowded.members['uav_2'].commands
    wild = commands.velocity.copy()
    wild[3], wild[5], wild[7] = (10.1, 0.0, 0.0), (np.nan, 0.0, 0.0), (0.0, 0.0, np.inf)
    agent = crowded.members['uav_2']._replace(commands=commands._replace(velocity=wild))
    faulty = crowded._replace(members={**crowded.members, 'uav_2': agent})
    assert find(crowded).summary[CHANGE] < find(faulty).summary[CHANGE] < np.inf
    assert (find(crowded).summary[BEYOND], find(crowded).summary[NOT_FINITE]) == (0, 0)
    assert (find(faulty).summary[BEYOND], find(faulty).summary[NOT_FINITE]) == (2, 2)
