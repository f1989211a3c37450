"""Members of a recording as they really moved."""

import numpy as np
from soliton_encirclement_ros.analysis.findings.true_motion import truly
from soliton_encirclement_ros.analysis.recording import Member, StateSeries, Telemetry, Track

TIME = np.arange(0.0, 5.0, 0.1)
ZERO = np.zeros((len(TIME), 3))
TRUE = Track(TIME, ZERO + 1.0, ZERO + 2.0, TIME)
LATER = TIME + 3.0
STATES = StateSeries(LATER, TIME, ZERO + 9.0, ZERO, {'u': TIME})
TOLD = Telemetry(LATER, ZERO + 9.0, ZERO, TIME > 9.0, TIME, TIME, {})


def test_states_and_telemetry_get_the_truth_where_it_is_recorded():
    member = Member('uav_1', Track(TIME, ZERO, ZERO, TIME), None, STATES, TOLD, TRUE)
    found = truly(member)
    assert found.track is TRUE
    for part in (found.states, found.telemetry):
        known = part.time <= TIME[-1] + 1e-9
        assert known.sum() == 20
        assert (part.position[known] == 1.0).all() and (part.position[~known] == 9.0).all()
        assert (part.velocity[known] == 2.0).all() and (part.velocity[~known] == 0.0).all()
    assert found.states.values is STATES.values and found.telemetry.failed is TOLD.failed


def test_without_truth_nothing_changes():
    member = Member('uav_1', Track(TIME, ZERO, ZERO, TIME), None, STATES, TOLD)
    assert truly(member) is member
    empty = member._replace(truth=Track(TIME[:0], ZERO[:0], ZERO[:0], TIME[:0]))
    assert truly(empty) is empty


def test_a_member_that_says_nothing_has_its_truth():
    assert truly(Member('uav_1', truth=TRUE)).track is TRUE
