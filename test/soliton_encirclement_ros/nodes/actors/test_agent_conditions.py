"""What an agent tells people: a status with every reason, and a line when something changes."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from soliton_encirclement_ros.core.laws import law_fault
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from soliton_encirclement_ros.members import own_rows
from soliton_encirclement_ros.nodes.actors import identity_watch
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.state_source import SenderClocks
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.odometry_reader import MeasuredState, OdometryWatch
from soliton_encirclement_ros.nodes.state_messages import MOST_NAMED
from support.cli import REPOSITORY
from support.ros.bodies import agent, odometry, said
from support.ros.cockpit import PLACE, Cockpit
from support.ros.told import ERROR, OK, STALE, WARN, Told
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.process import name_claim

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

NAME, LOGGER = 'uav_1/agent: control', 'uav_1.agent'


@pytest.fixture
def told(ros):
    """Return what nodes tell, from the beginning."""
    return Told(ros)


@pytest.fixture
def cockpit(ros, told):
    """Return an agent whose words are listened to."""
    return Cockpit(ros)


def test_all_is_well_when_odometry_and_target_come(cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK, 'ok'), 'the status ok')
    (status,) = told.statuses(NAME)[-1:]
    assert (status.message, status.hardware_id) == ('ok', 'uav_1')
    values = {pair.key: pair.value for pair in status.values}
    assert float(values['target_age_s']) < 0.5
    assert float(values['command_speed_m_per_s']) > 1.0


def test_what_never_came_is_stale(cockpit, told):
    odom = 'no odometry received yet on /uav_1/odom'
    target = 'no state of the target received yet on /swarm/target_state'
    cockpit.until(
        lambda: told.shows(NAME, STALE, odom, target), 'both', place=None, with_target=False
    )


def test_odometry_that_is_lost_is_an_error_until_it_is_back(cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok')
    assert told.logged(LOGGER, 'odometry received on /uav_1/odom')
    text = 'odometry lost: none on /uav_1/odom for '
    cockpit.until(lambda: told.shows(NAME, ERROR, text), 'the loss', place=None)
    assert told.logged(LOGGER, text)
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again')
    assert told.logged(LOGGER, 'odometry is back on /uav_1/odom after ')


def test_odometry_that_came_late_is_as_old_as_its_stamp():
    """It was lost for 0.4 s, with a timeout of 0.5 s, when it had taken 0.1 s to arrive."""
    lines = []
    logger = SimpleNamespace(info=str, error=lines.append)
    watch = OdometryWatch(logger, '/odom', 0.5, 'no commands')
    watch.update(100_000_000, MeasuredState(0, 100_000_000, Pose(*[(0.0,) * 3] * 2), 0.0))
    watch.update(510_000_000, None)
    text = 'odometry lost: none on /odom for 0.6 s (odom_timeout 0.5 s)'
    assert lines == [f'{text}: no commands until it is back']
    assert watch.conditions(510_000_000)[0].reason == text


def test_a_target_that_is_lost_is_an_error_until_it_is_found(cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok')
    assert told.logged(LOGGER, 'target received for the first time')
    text = 'target lost: last received '
    cockpit.until(lambda: told.shows(NAME, ERROR, text), 'the loss', with_target=False)
    assert told.logged(LOGGER, text)
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again')
    assert told.logged(LOGGER, 'target received again after ')
    assert not any('another agent' in status.message for status in told.statuses(NAME))


def test_neighbours_that_fall_silent_are_named(cockpit, told):
    place = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok', neighbours=place)
    text = 'neighbours lost: uav_2 (for '
    cockpit.until(lambda: told.shows(NAME, WARN, text, 'uav_3 (for '), 'the loss')
    cockpit.until(lambda: told.logged(LOGGER, 'neighbours lost: uav_2, uav_3'), 'the line')
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again', neighbours=place)
    cockpit.until(
        lambda: told.logged(LOGGER, 'neighbours received again: uav_2, uav_3'), 'the line',
        neighbours=place,
    )  # fmt: skip


def test_more_agents_than_a_swarm_has_are_an_error(cockpit, told, monkeypatch):
    place = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok', neighbours=place)
    monkeypatch.setattr(own_rows, 'MAX_MEMBERS', 3)
    text = '2000 agents were named here'
    cockpit.until(lambda: told.shows(NAME, ERROR, text), 'the fault', neighbours=place)
    assert told.logged(LOGGER, text)


def test_a_neighbour_whose_place_jumps_is_named_until_it_has_long_been_steady(ros, told):
    cockpit = Cockpit(ros, neighbour_forgive_time=1.0)
    place = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok', neighbours=place)
    text = 'states not believed of uav_3: its place jumps'
    moved = (place[0], (0.0, -20.0, 5.0))
    began = ros.now_ns()
    cockpit.until(lambda: told.logged(LOGGER, text), 'the line', neighbours=moved)
    assert ros.now_ns() - began < 2e9
    cockpit.until(lambda: told.shows(NAME, WARN, text), 'the warning', neighbours=moved)
    values = {pair.key: pair.value for pair in told.statuses(NAME)[-1].values}
    assert values['neighbours_named'] == 'uav_3'
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again', neighbours=moved)
    assert told.logged(LOGGER, 'states of uav_3 believed again')


AHEAD = 'clock of uav_2 is 0.3 s ahead of the one here; clock_error = 0.02 s: synchronise'
BEHIND = 'clock of uav_2 is 0.3 s behind the one here, or its messages are as late; clock_error'
FAR = 's in the future, limit stamp_tolerance = 2 s; are the clocks of all computers'


@pytest.mark.parametrize(('ahead', 'text'), [(0.3, AHEAD), (-0.3, BEHIND), (6.0, FAR)])
def test_a_neighbour_whose_clock_differs_is_named(cockpit, told, ahead, text):
    place = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.clock_of_neighbours = {2: ahead}
    cockpit.until(lambda: told.shows(NAME, WARN, 'uav_2', text), 'the clock', neighbours=place)
    cockpit.clock_of_neighbours = {}
    cockpit.until(lambda: told.shows(NAME, OK, 'ok'), 'one clock', neighbours=place)


def test_clocks_of_numbers_without_end_are_not_all_named():
    """A stranger's, whose stamps are far ahead, are not kept while they come."""
    clocks = SenderClocks()
    for second in range(8):
        for number in range(2 * MAX_MEMBERS):
            clocks.see(second, agent(1 + number, second, PLACE), -9.0)
    assert len(clocks._least) == MAX_MEMBERS
    assert len(clocks.conditions(0.1, 0.1)) == MOST_NAMED


def test_a_clock_that_differs_too_much_is_not_ok_again_while_nothing_is_taken(ros, cockpit, told):
    """Its states are refused, and then it falls silent, since its own odometry is."""
    place = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.clock_of_neighbours = {2: 0.3}
    cockpit.until(lambda: told.shows(NAME, WARN, AHEAD), 'the clock', neighbours=place)
    cockpit.clock_of_neighbours = {2: 3600.0}
    text = 'clock of uav_2 is 3600 s ahead of the one here'
    cockpit.until(lambda: told.shows(NAME, WARN, text, FAR), 'the clock', neighbours=place)
    cockpit.until(lambda: told.logged(LOGGER, 'neighbours lost: uav_2'), 'silence')
    ros.meanwhile(6.0, cockpit.live)
    assert not told.logged(LOGGER, 'clock of uav_2: ok again')
    cockpit.clock_of_neighbours = {}
    cockpit.until(lambda: told.logged(LOGGER, 'clock of uav_2: ok again'), 'one clock',
                  neighbours=place)  # fmt: skip


def test_a_node_that_stood_still_says_so_once(ros, cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok')
    ros.stall(6.0)
    text = 'this node stood still for 6.0 s: suspended, or the machine ran something else'
    cockpit.until(lambda: any(text in one.message for one in told.statuses(NAME)), 'the status')
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again')
    assert told.lines(LOGGER).count(text) == 1


def test_an_agent_that_is_down_says_so_and_why(ros, cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok')
    ros.call(Trigger, '/uav_1/fail', Trigger.Request())
    cockpit.until(lambda: told.shows(NAME, WARN, 'the agent is down (operator)'), 'the status')
    assert told.logged(LOGGER, 'the agent is down (operator): it stops and sends no state')
    ros.call(Trigger, '/uav_1/recover', Trigger.Request())
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok again')
    assert told.logged(LOGGER, 'the agent is up again after ')


@pytest.mark.parametrize(('nap', 'level'), [(0.1, WARN), (0.25, ERROR)])
def test_a_control_period_that_is_too_long_is_told(ros, told, nap, level):
    cockpit = Cockpit(ros, control_period=0.05)

    def slow() -> bool:
        ros.stall(nap - 0.02)
        return told.shows(NAME, level, 'control period 0.', ' s instead of 0.05 s')

    cockpit.until(slow, 'the status')


def test_medium_without_anybody_on_heard_is_an_error(ros, told):
    cockpit = Cockpit.__new__(Cockpit)
    cockpit.node = ros.make(AgentNode, '/uav_1', medium=True)
    text = 'received_states: no publisher of /uav_1/received_states, but medium = true'
    ros.until(lambda: told.shows(NAME, ERROR, text), 'the status')
    ros.until(lambda: told.logged(LOGGER, text), 'the line')
    ros.tester.create_publisher(JointState, '/uav_1/received_states', STATE)
    ros.until(lambda: told.shows(NAME, STALE) and text not in told.statuses(NAME)[-1].message,
              'the end of it')  # fmt: skip
    ros.until(lambda: told.logged(LOGGER, '/uav_1/received_states: ok again'), 'the line')


def test_somebody_else_who_speaks_with_its_number_is_an_error_that_names_it(ros, cockpit, told):
    other = ros.tester.create_publisher(JointState, '/swarm/agent_states', STATE)

    def both() -> bool:
        other.publish(said(ros.now_ns(), agent(1, 1, (5.0, 5.0, 5.0))))
        return told.shows(NAME, ERROR, 'another agent publishes as uav_1, probably /tester')

    cockpit.until(lambda: cockpit.own_states(), 'its state')
    cockpit.until(both, 'the status')
    assert told.logged(LOGGER, 'another agent publishes as uav_1, probably /tester')
    count = len(cockpit.commands)
    cockpit.until(lambda: (both(), len(cockpit.commands) > count)[1], 'its command: it was first')


def test_who_was_there_later_with_a_number_commands_nothing_until_the_first_is_gone(
    ros, cockpit, told, monkeypatch
):
    """On another computer, where it is not refused at its start."""
    monkeypatch.setattr(name_claim, 'HAS_ABSTRACT_SOCKETS', False)
    cockpit.until(lambda: len(cockpit.commands) > 10, 'the first to fly')
    ros.make(AgentNode, '/drone', agent_id=1)
    commands = ros.listen(Twist, '/drone/cmd_vel', COMMAND)
    voice = ros.voice(Odometry, '/drone/odom', STATE)

    def flies(of: list) -> bool:
        voice.publish(odometry(ros.now_ns(), (5.0, 5.0, 5.0)))
        return len(of) > 40

    text = 'another agent has published as uav_1 before, probably /tester, /uav_1/agent: this one '
    cockpit.commands.clear()
    cockpit.until(lambda: flies(cockpit.commands), 'the first to go on')
    assert not commands
    assert told.shows('drone/agent: control', ERROR, text)
    assert len([line for line in told.lines('drone.agent') if text in line]) == 1
    ros.remove(cockpit.node)
    cockpit.until(lambda: flies(commands), 'the second to fly')


def test_who_flew_alone_gives_way_only_to_an_earlier_agent_of_its_own_vehicle(
    ros, cockpit, told, monkeypatch
):
    """A forger that counted from higher numbers silenced it: others flew through its true place.

    Two agents of one vehicle that the network had parted say the same place.
    """
    monkeypatch.setattr(identity_watch, 'ALONE_FOR', 0.5)
    other = ros.tester.create_publisher(JointState, '/swarm/agent_states', STATE)
    numbers = count(10**6)

    def hears(place: Vector, text: str) -> bool:
        other.publish(said(ros.now_ns(), agent(1, next(numbers), place)))
        return told.shows(NAME, ERROR, f'another agent {text} as uav_1')

    def flies_beside(place: Vector) -> bool:
        hears(place, '')
        own = [said for said in cockpit.own_states() if said.position[3] < 10**6]
        return len(own) > 20 and len(cockpit.commands) > 20

    def forget() -> None:
        cockpit.states.clear()
        cockpit.commands.clear()

    cockpit.until(lambda: len(cockpit.own_states()) > 20, 'the first to fly alone')
    far = (5.0, 5.0, 5.0)
    cockpit.until(lambda: hears(far, 'publishes'), 'the status of a forger')
    forget()
    cockpit.until(lambda: flies_beside(far), 'it to go on')
    cockpit.until(lambda: hears(PLACE, 'has published'), 'the status of an earlier one')
    forget()
    end = next(numbers) + 50
    cockpit.until(lambda: hears(PLACE, '') or next(numbers) > end, 'some time')
    assert not cockpit.commands
    cockpit.until(lambda: flies_beside(far), 'it to fly once the other one is elsewhere')


@pytest.mark.parametrize(
    ('kind', 'namespaces', 'parameters', 'who'),
    [
        (AgentNode, ('/uav_1', '/drone'), {'agent_id': 1}, '/uav_1'),
        (AgentNode, ('/a/uav_1', '/a/uav_1'), {}, '/a/uav_1'),
        (SafetyNode, ('/uav_1', '/drone'), {'agent_id': 1}, '/uav_1'),
        (TargetNode, ('/target', '/rover'), {}, '/target'),
        (AdversaryNode, ('/adversary', '/other'), {}, '/adversary'),
        (MonitorNode, ('/', '/'), {}, '/monitor'),
    ],
)
def test_a_second_node_for_one_member_is_refused_whatever_its_name_is(
    ros, kind, namespaces, parameters, who
):
    first = ros.make(kind, namespaces[0], **parameters)
    with pytest.raises(StartupError) as caught:
        ros.make(kind, namespaces[1], **parameters)
    assert f'{who} has another node as its ' in str(caught.value)
    assert 'on this computer already; stop it, or start this one with' in str(caught.value)
    ros.make(kind, f'/fleet{namespaces[1]}'.rstrip('/'), **parameters)
    ros.remove(first)
    ros.make(kind, namespaces[1], **parameters)


def test_a_vehicle_that_takes_the_other_type_of_commands_is_named(ros, cockpit, told):
    cockpit.until(lambda: told.shows(NAME, OK), 'the status ok')
    ros.listen(TwistStamped, '/uav_1/cmd_vel', COMMAND)
    text = '/tester takes geometry_msgs/msg/TwistStamped on /uav_1/cmd_vel'
    cockpit.until(lambda: told.shows(NAME, ERROR, text), 'the error')
    assert told.logged(LOGGER, 'set enable_stamped_cmd_vel to true here')


def test_a_long_way_at_the_speed_limit_is_a_line(ros, told):
    cockpit = Cockpit(ros, max_speed_xy=1.0)
    far = (*PLACE[:1], 400.0, 5.0)
    text = 'commands at the speed limit for 5 s (max_speed_xy = 1 m/s)'
    cockpit.until(lambda: told.logged(LOGGER, text), 'the line', place=far)
    cockpit.until(lambda: told.logged(LOGGER, 'below the speed limit again after '), 'the end',
                  place=(20.0, 0.0, 0.0))  # fmt: skip


def test_a_filter_that_cannot_keep_all_distances_is_a_warning(cockpit, told):
    """Between two others that are much too near."""
    beside = tuple((PLACE[0] + offset, PLACE[1], PLACE[2]) for offset in (-0.5, 0.5))
    cockpit.until(
        lambda: told.shows(NAME, WARN, 'separation filter RELAXED: '), 'the warning',
        neighbours=beside,
    )  # fmt: skip
    (status,) = told.statuses(NAME)[-1:]
    values = {pair.key: pair.value for pair in status.values}
    assert float(values['filter_share']) > 0.0
    assert values['filter_last_reason'] == 'RELAXED'
    assert values['filter_last_pusher'] in ('uav_2', 'uav_3')


TEXT = (REPOSITORY / 'docs' / 'pursuit.py').read_text()
AT = '    target = view.target\n'

FAULTS = [
    ("raise ValueError('not any more')", 'ValueError: not any more (mine.py:'),
    ('return memory, SpacingMessage(0.0, 0.0), decided(view, (0.0, 0.0 * 1e999, 0.0))',
     'wants the velocity (0.0, nan, 0.0) m/s; it must be finite'),
    ('return memory, SpacingMessage(0.0, 0.0), decided(view, (0.0, 0.0))',
     'returned decision.velocity = (0.0, 0.0); it must be 3 numbers in a tuple'),
    ('raise SystemExit(3)', 'wants to end the process'),
    ('return Memory(1e999), SpacingMessage(0.0, 0.0), decided(view, (0.0, 0.0, 0.0))',
     'keeps Memory(turn=inf); it must be finite (mine.py:'),
    ('while True: pass', 'does not return within '),
]  # fmt: skip


@pytest.mark.parametrize(('line', 'reason'), FAULTS)
def test_the_vehicle_stops_and_one_line_says_why(
    monkeypatch, ros, told, tmp_path: Path, line, reason
):
    monkeypatch.setattr(law_fault, 'LIMIT', 1.0)
    file = tmp_path / 'mine.py'
    assert AT in TEXT
    file.write_text(TEXT.replace(AT, f'    if view.target.seq > 20:\n        {line}\n{AT}'))
    cockpit = Cockpit(ros, controller=str(file))
    cockpit.until(lambda: any(speeds(command)[0] for command in cockpit.commands), 'flight')
    cockpit.until(lambda: told.shows(NAME, ERROR, 'the law failed'), 'the error')
    cockpit.commands.clear()
    cockpit.until(lambda: len(cockpit.commands) > 3, 'commands')
    assert {speeds(command) for command in cockpit.commands} == {(0.0, 0.0)}
    lines = [text for text in told.lines(LOGGER) if reason in text]
    assert len(lines) == 1 and lines[0].startswith('mine: uav_1 at ')


def speeds(command):
    return command.linear.x, command.linear.y
