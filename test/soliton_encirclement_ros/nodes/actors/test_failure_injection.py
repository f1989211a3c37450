"""Failure injection in a real agent node: off unless asked for, switched while it flies."""

import pytest
from rcl_interfaces.msg import Log
from std_srvs.srv import Trigger

from support.ros.bodies import values
from support.ros.cockpit import Cockpit
from support.ros.graph import Heard, Ros, set_parameters
from support.ros.told import OK, WARN, Told
from velocity_mobility_ros.ros_io.endpoints import COMMAND

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

STATUS = 'uav_1/agent: control'
ALWAYS = {'failure_mean_failures_per_min': 1e9, 'failure_off_time': 600.0}
"""A failure at the first draw, which outlasts any test."""

OFTEN = {'failure_mean_failures_per_min': 600.0, 'failure_off_time': 0.3}
SCHEDULED = {'failure_enable': False, 'failure_schedule': '0..: 1'}


def is_down(cockpit: Cockpit) -> bool:
    """Say whether the newest telemetry shows the agent down."""
    return bool(cockpit.telemetry) and values(cockpit.telemetry.last)['failed'] == 1.0


def switch(ros: Ros, on: bool) -> None:
    """Set the parameter of the running node."""
    assert set_parameters(ros, '/uav_1/agent', inject_failures=on) == ['']


def warnings(log: Heard) -> list[str]:
    """Return what the log holds about injection at the level of a warning."""
    return [m.msg for m in log if m.level >= Log.WARN and 'injection' in m.msg]


@pytest.mark.parametrize('source', [ALWAYS, SCHEDULED], ids=['chance', 'schedule'])
def test_no_agent_fails_unless_injection_is_on(ros, source):
    cockpit = Cockpit(ros, controller='soliton', **source)
    cockpit.until(lambda: len(cockpit.telemetry) > 40, 'two seconds of ticks')
    assert [message for message in cockpit.telemetry if values(message)['failed']] == []
    assert [message for message in cockpit.commands if message.linear.x != -10.0] == []


def test_switched_off_in_flight_it_comes_back_at_once(ros):
    told = Told(ros)
    cockpit = Cockpit(ros, inject_failures=True, **ALWAYS)
    cockpit.until(lambda: is_down(cockpit), 'the failure')
    line = 'the agent is down (random failure)'
    cockpit.until(lambda: told.logged('uav_1.agent', line), 'the line')
    switch(ros, on=False)
    cockpit.until(lambda: not is_down(cockpit), 'the recovery')
    switch(ros, on=True)
    cockpit.until(lambda: is_down(cockpit), 'the failure again')


def test_who_was_failed_by_an_operator_stays_down(ros):
    cockpit = Cockpit(ros, inject_failures=True, **OFTEN)
    ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    switch(ros, on=False)
    ros.meanwhile(0.5, cockpit.live)
    assert is_down(cockpit)
    ros.call(Trigger, '/uav_1/recover', Trigger.Request())
    cockpit.until(lambda: not is_down(cockpit), 'the recovery')


def test_injection_is_announced_with_how_to_end_it(ros):
    told = Told(ros)
    log = ros.listen(Log, '/rosout', COMMAND)
    cockpit = Cockpit(ros, inject_failures=True, failure_schedule='40..48: 1; 50..60: 2')
    expected = (
        'failure injection is ON: this agent fails at random (mean 1 per minute of up-time, each '
        'for 8 s) and by schedule (40..48 s); for simulations only; to switch it off: '
        'swarm param set /uav_1/agent inject_failures false'
    )
    ros.until(lambda: warnings(log) == [expected], 'the warning')
    cockpit.until(lambda: told.shows(STATUS, WARN, 'failure injection is on'), 'the status')
    switch(ros, on=False)
    cockpit.until(lambda: told.shows(STATUS, OK), 'the end of the warning')
    switch(ros, on=True)
    ros.until(lambda: warnings(log) == [expected, expected], 'the warning again')


def test_nothing_to_inject_is_no_reason_to_warn(ros):
    log = ros.listen(Log, '/rosout', COMMAND)
    cockpit = Cockpit(ros, inject_failures=True, failure_enable=False, failure_schedule='9..: 2')
    ros.meanwhile(1.0, cockpit.live)
    assert warnings(log) == []
    ineffective = 'inject_failures = true has no effect: random failures are off'
    assert any(m.msg.startswith(ineffective) for m in log)
