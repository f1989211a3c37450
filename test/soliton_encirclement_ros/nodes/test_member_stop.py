"""The emergency stop of one agent as a real node, in simulated time: counted from its messages."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from std_srvs.srv import Trigger

from soliton_encirclement_ros.core.emergency_stop import END_HOLD, HEARTBEAT_ENDS, StopMessage
from soliton_encirclement_ros.core.laws.filter_codes import SEPARATION
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.safety.filter import FASTEST
from support.ros.bodies import odometry, values
from support.ros.cockpit import PLACE, Cockpit
from support.ros.stopping import TOPIC, Operator, call_stop, is_zero, moving_after
from support.ros.told import ERROR, Told
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

STATUS = 'uav_1/agent: control'
SERVICE = '/uav_1/emergency_stop'
MANY = 10


@pytest.fixture
def cockpit(ros):
    """Return an agent in flight."""
    cockpit = Cockpit(ros)
    fly(cockpit)
    return cockpit


def fly(cockpit):
    """Live until the agent has commanded motion several times since now."""
    before = len(cockpit.commands)
    cockpit.until(
        lambda: sum(not is_zero(one) for one in cockpit.commands[before:]) > MANY, 'commands'
    )


def hover(cockpit, **living):
    """Live until many commands were zero in sequence."""
    cockpit.until(
        lambda: len(cockpit.commands) >= MANY and all(map(is_zero, cockpit.commands[-MANY:])),
        'zero commands', **living,
    )  # fmt: skip


def test_the_service_stops_within_two_periods_and_until_released(ros, cockpit):
    told = Told(ros)
    count = len(cockpit.commands)
    assert cockpit.node.may_start_again
    answer = call_stop(ros, SERVICE, True)
    assert answer.success and not cockpit.node.may_start_again
    ros.meanwhile(0.001)  # at once: it waits for no tick
    assert len(cockpit.commands) == count + 1 and is_zero(cockpit.commands.last)
    hover(cockpit)
    assert moving_after(cockpit.commands, count) <= 2
    cockpit.until(lambda: told.shows(STATUS, ERROR, 'stopped by the operator: a call of'), 'ERROR')
    assert call_stop(ros, SERVICE, False).success
    fly(cockpit)
    cockpit.until(lambda: told.logged('uav_1.agent', 'emergency stop released'), 'the log')
    lines = [line for line in told.lines('uav_1.agent') if 'emergency stop' in line]
    assert len(lines) == 2
    assert lines[0].startswith('emergency stop by a call of /uav_1/emergency_stop')


def test_a_stopped_agent_goes_on_saying_where_it_is(ros, cockpit):
    call_stop(ros, SERVICE, True)
    hover(cockpit)
    states, rows = len(cockpit.own_states()), len(cockpit.telemetry)
    cockpit.until(lambda: len(cockpit.own_states()) > states + MANY, 'its states')
    assert len(cockpit.telemetry) > rows
    held = [values(message) for message in cockpit.own_states()[states:]]
    numbers = [one['uav_1/seq'] for one in held]
    assert numbers == sorted(set(numbers))
    assert {(one['uav_1/x'], one['uav_1/u'], one['uav_1/u_ss']) for one in held} == {(30.0, 0, 0)}


def test_a_stopped_agent_makes_way_slowly_for_who_comes_too_near(ros, cockpit):
    call_stop(ros, SERVICE, True)
    hover(cockpit, neighbours=((PLACE[0] + 3.0, *PLACE[1:]),))
    near = ((PLACE[0] + 1.5, *PLACE[1:]),)
    cockpit.until(lambda: not is_zero(cockpit.commands.last), 'an evasion', neighbours=near)
    cockpit.until(
        lambda: values(cockpit.telemetry.last)['filter_reason'] == SEPARATION, 'why',
        neighbours=near,
    )  # fmt: skip
    away = cockpit.commands.last.linear
    assert -FASTEST <= away.x < 0.0  # the older the pose, the slower
    assert (away.y, away.z) == pytest.approx((0.0, 0.0))
    before = len(cockpit.commands)
    cockpit.until(
        lambda: len(cockpit.commands) > before + MANY and is_zero(cockpit.commands.last),
        'zero without odometry', place=None, neighbours=near,
    )  # fmt: skip
    hover(cockpit, neighbours=((PLACE[0] + 3.0, *PLACE[1:]),))


def test_it_stays_stopped_without_the_operator_and_without_odometry(ros, cockpit):
    operator = Operator(ros)
    operator.order(True)
    hover(cockpit)
    operator.leave()
    before = len(cockpit.commands)
    ros.meanwhile(2.0)
    assert len(cockpit.commands) >= before + 38  # at every tick
    assert all(map(is_zero, cockpit.commands[before:]))
    fresh = Operator(ros)
    fresh.order(False)
    fly(cockpit)


def test_recover_and_older_or_malformed_messages_release_nobody(ros, cockpit):
    operator = Operator(ros)
    stamp_ns = operator.order(True)
    hover(cockpit)
    before = len(cockpit.commands)
    operator.order(False, stamp_ns=stamp_ns - 1)
    operator.order(False, stamp_ns=stamp_ns)
    operator.order(False, stamp_ns=stamp_ns + 3600 * 10**9)  # a clock that is an hour ahead
    for key, value in (('stamp_ns', 'nan'), ('kind', 'free'), ('timeout_s', 'nan')):
        fields = {'kind': 'release', 'stamp_ns': '', key: value}
        pairs = [KeyValue(key=name, value=text) for name, text in fields.items()]
        status = DiagnosticStatus(name='emergency stop', values=pairs)
        operator.voice.publish(DiagnosticArray(status=[status]))
    assert ros.call(Trigger, '/uav_1/recover', Trigger.Request()).message == 'already up'
    cockpit.until(lambda: cockpit.node.health.refused[TOPIC] >= 4, 'the refusals')
    hover(cockpit)
    assert all(map(is_zero, cockpit.commands[before:]))


def test_the_own_stop_and_that_of_the_swarm_are_released_apart(ros, cockpit):
    operator = Operator(ros)
    operator.order(True)
    hover(cockpit)
    assert call_stop(ros, SERVICE, True).success
    answer = call_stop(ros, SERVICE, False)
    assert not answer.success
    assert answer.message == 'still stopped: the tester'
    operator.order(False)
    fly(cockpit)
    operator.order(True, scope='uav_2')
    fly(cockpit)
    operator.order(True, scope='uav_1')
    hover(cockpit)


def test_a_failed_agent_can_be_stopped_and_comes_back_stopped(ros, cockpit):
    ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    call_stop(ros, SERVICE, True)
    states = len(cockpit.own_states())
    ros.call(Trigger, '/uav_1/recover', Trigger.Request())
    before = len(cockpit.commands)
    cockpit.until(lambda: len(cockpit.own_states()) > states + MANY, 'its states')
    assert all(map(is_zero, cockpit.commands[before:]))
    call_stop(ros, SERVICE, False)
    fly(cockpit)


def test_a_missing_heartbeat_stops_and_a_heartbeat_that_is_back_releases_nobody(ros, cockpit):
    operator, told = Operator(ros), Told(ros)
    for _ in range(60):
        operator.beat(3.0)
        cockpit.live()
    assert not is_zero(cockpit.commands.last)
    assert not cockpit.node.may_start_again  # it would forget whom it watches
    hover(cockpit)
    cockpit.until(lambda: told.shows(STATUS, ERROR, 'no heartbeat of the tester for 3 s'), 'why')
    for _ in range(60):
        operator.beat(3.0)
        cockpit.live()
    hover(cockpit)
    operator.say(StopMessage(HEARTBEAT_ENDS, source='the tester'))
    operator.order(False)
    fly(cockpit)


def test_a_watch_that_is_ended_on_purpose_stops_nobody(ros, cockpit):
    operator = Operator(ros)
    operator.beat(1.0)
    cockpit.live()
    operator.say(StopMessage(END_HOLD, source='the tester'))  # only a request
    operator.say(StopMessage(HEARTBEAT_ENDS, source='the tester'))
    before = len(cockpit.commands)
    cockpit.until(lambda: len(cockpit.commands) > before + 100, 'commands for two seconds')
    assert not any(map(is_zero, cockpit.commands[before:]))


def test_an_agent_that_starts_during_a_stop_never_moves(ros, cockpit):
    """The one who gave the order is gone: uav_1 keeps it."""
    operator = Operator(ros)
    operator.order(True)
    hover(cockpit)
    cockpit.until(lambda: ros.tester.count_publishers(TOPIC) >= 2, 'a keeper')
    operator.leave()
    cockpit.until(lambda: ros.tester.count_publishers(TOPIC) == 1, 'the keeper alone')
    commands = ros.listen(type(cockpit.commands.last), '/uav_2/cmd_vel', COMMAND)
    voice = ros.tester.create_publisher(type(odometry(0, PLACE)), '/uav_2/odom', STATE)
    ros.make(AgentNode, '/uav_2')

    def both():
        voice.publish(odometry(ros.now_ns(), (0.0, 30.0, 5.0)))
        return len(commands) > 2 * MANY

    cockpit.until(both, 'commands of uav_2')
    assert all(map(is_zero, commands))
