"""Every fault in every state: what must be true of the whole table."""

import pytest

from support.autopilot.fault_matrix import FAULTS, STATES, cell
from velocity_mobility_ros.autopilot.engage.engage_records import State

FLOWN = (State.TAKE_OFF, State.HOLD, State.TRACK, State.BRAKE, State.HOLD_REENTRY)
BY_NAME = {fault.name: fault for fault in FAULTS}


@pytest.mark.parametrize('fault', FAULTS, ids=lambda fault: fault.name)
def test_nothing_is_armed_or_engaged_but_for_the_operator(fault):
    for state in STATES:
        asked = cell(state, fault).asked
        if state is not State.PRECHECK:  # there the operator has just asked for it
            assert not {'arm', 'offboard', 'take off', 'kill'} & set(asked), (state, asked)


@pytest.mark.parametrize(
    'name', ['pilot takes over', 'failsafe of the autopilot', 'terminated']
)  # fmt: skip
@pytest.mark.parametrize('state', STATES)
def test_whoever_has_taken_over_is_left_alone(name, state):
    found = cell(state, BY_NAME[name])
    assert found.asked == () and not found.setpoints
    assert not found.heartbeat or state in (State.READY, State.PRECHECK)


@pytest.mark.parametrize('fault', FAULTS, ids=lambda fault: fault.name)
def test_tracking_goes_on_only_where_nothing_is_lost(fault):
    goes_on = cell(State.TRACK, fault).way == ()
    assert goes_on == (fault.name in ('battery low', 'answers lost', 'requests lost'))


@pytest.mark.parametrize('state', FLOWN)
@pytest.mark.parametrize('name', [
    'position not valid', 'neither position nor velocity', 'battery critical',
])  # fmt: skip
def test_what_cannot_be_flown_on_lands(state, name):
    assert cell(state, BY_NAME[name]).asked == ('land',)


@pytest.mark.parametrize('state', STATES)
def test_a_silent_autopilot_gets_no_heartbeat(state):
    found = cell(state, BY_NAME['autopilot silent'])
    assert not found.heartbeat and not found.setpoints
