"""A part of a recording."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.recording import PARTS
from soliton_encirclement_ros.analysis.window import between
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.recordings import recording_of
from support.ros.swarm import scenario


@pytest.fixture(scope='module')
def whole():
    """Return four agents for ten seconds, as if the true motion of one were recorded."""
    flown = recording_of(scenario(run={'sim_duration': 10.0}))
    one = flown.members['uav_1']
    members = {**flown.members, 'uav_1': one._replace(truth=one.track)}
    return flown._replace(members=members)


def test_every_column_has_the_samples_in_between_and_no_other(whole):
    part = between(whole, 2.0, 5.0)
    assert list(part.members) == list(whole.members)
    for name, member in part.members.items():
        for kind in PARTS:
            before, after = getattr(whole.members[name], kind), getattr(member, kind)
            if before is None:
                assert after is None
                continue
            rows = (before.time >= 2.0) & (before.time <= 5.0)
            assert 0 < rows.sum() < len(rows)
            for column, cut in zip(before, after, strict=True):
                pairs = zip(column.values(), cut.values(), strict=True) if isinstance(
                    column, dict) else [(column, cut)]  # fmt: skip
                for one, other in pairs:
                    assert np.array_equal(one[rows], other, equal_nan=True)
    assert part.metrics['time'][[0, -1]].tolist() == [2.0, 5.0]
    assert (part.duration, part.topics) == (5.0, whole.topics)
    assert part.problems == ('only 2 to 5 s of 10 s were analysed',)


def test_figures_are_those_of_the_part(whole):
    all_of_it, part = find(whole), find(between(whole, 4.0, 8.0))
    times = np.array(part.series['time'])
    assert (times[0], times[-1]) == (4.0, 8.0)
    later = np.array(all_of_it.series['time'])
    rows = (later >= 4.0) & (later <= 8.0)
    assert np.allclose(part.series['E_gap'], np.array(all_of_it.series['E_gap'])[rows])


def test_nothing_in_between_is_refused(whole):
    with pytest.raises(RunError, match=r'^no data between 50 and 60 s; the rec'):
        between(whole, 50.0, 60.0)
