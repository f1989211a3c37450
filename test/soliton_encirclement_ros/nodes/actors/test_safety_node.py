"""The node of the separation filter: commands, watchdogs, emergency stop, diagnostics."""

import math
from typing import Any

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY, NONE, OTHER_ID, SEPARATION
from soliton_encirclement_ros.core.laws.telemetry import BODY, FILTER_NAMES
from soliton_encirclement_ros.nodes.actors import identity_watch
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from support.ros.bodies import agent, level_message, odometry, said, values
from support.ros.graph import PATIENCE, Heard, Ros, set_parameters
from support.ros.sent_messages import command_to_stamped, command_to_twist
from support.ros.stopping import Operator, is_zero
from support.ros.told import ERROR, OK, STALE, WARN, Told
from velocity_mobility_ros.core.user_errors import ParameterError, StartupError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

STATUS = 'uav_1/safety: control'
NODE = '/uav_1/safety'
PLACE: Vector = (0.0, 0.0, 5.0)


class Seat:
    """The node of uav_1 with everything around it, played by the tester in real time."""

    def __init__(self, ros: Ros, **parameters: Any) -> None:
        self.ros = ros
        self.stamped = bool(parameters.get('enable_stamped_cmd_vel'))
        self.told = Told(ros)
        self.node = ros.make(SafetyNode, '/uav_1', **parameters)
        kind = TwistStamped if self.stamped else Twist
        self.commands: Heard = ros.listen(kind, '/uav_1/cmd_vel', COMMAND)
        self.states: Heard = ros.listen(JointState, '/swarm/agent_states', STATE)
        self.odom = ros.voice(Odometry, '/uav_1/odom', STATE)
        self.voice = ros.voice(kind, '/uav_1/cmd_vel_raw')
        self.others = ros.voice(JointState, '/swarm/agent_states', STATE, 2)

    def live(
        self,
        wanted: Vector | None = None,
        yaw_rate: float = 0.0,
        yaw: float = 0.0,
        with_odometry: bool = True,
    ) -> None:
        """Let the world go on for a moment."""
        now = self.ros.now_ns()
        if with_odometry:
            self.odom.publish(level_message(now, 'base_link', PLACE, yaw, (0.0, 0.0, 0.0), 0.0))
        if wanted is not None:
            self.say(wanted, yaw_rate)
        self.ros.meanwhile(0.02)

    def say(self, wanted: Vector, yaw_rate: float = 0.0, frame: str = 'map') -> None:
        """Command once."""
        message = command_to_twist(wanted, yaw_rate)
        if self.stamped:
            message = command_to_stamped(wanted, yaw_rate, self.ros.now_ns(), frame)
        self.voice.publish(message)
        assert self.voice.wait_for_all_acked(Duration(seconds=PATIENCE))

    def until(self, condition: Any, what: str, *wanted: Any, **living: Any) -> None:
        """Live until a condition holds."""
        self.ros.until(lambda: (self.live(*wanted, **living), condition())[1], what)

    def twist(self) -> tuple[float, float, float, float]:
        """Return the newest command."""
        found = getattr(self.commands.last, 'twist', self.commands.last)
        return found.linear.x, found.linear.y, found.linear.z, found.angular.z

    def moves(self) -> bool:
        """Say whether the newest command is not zero."""
        return bool(self.commands) and not is_zero(self.commands.last)

    def rests(self) -> bool:
        """Say whether the newest command is zero."""
        return bool(self.commands) and is_zero(self.commands.last)

    def own_states(self) -> list[JointState]:
        """Return what the node has said of itself."""
        return [message for message in self.states if message.name[0] == 'uav_1/x']

    def value(self, key: str) -> str:
        """Return a value of the last status."""
        return next(v.value for v in self.told.statuses(STATUS)[-1].values if v.key == key)


def test_a_command_that_keeps_the_distance_passes_unchanged(ros: Ros) -> None:
    seat = Seat(ros)
    seat.until(seat.moves, 'a command', (1.0, -0.5, 0.25), 0.3)
    assert seat.twist() == (1.0, -0.5, 0.25, 0.3)
    seat.until(seat.own_states, 'its state', (1.0, -0.5, 0.25), 0.3)
    seat.until(lambda: seat.told.shows(STATUS, OK, 'ok'), 'no fault', (1.0, -0.5, 0.25), 0.3)
    assert float(seat.value('command_rate_hz')) > 1.0
    assert float(seat.value('odom_age_s')) < 1.0
    own = seat.own_states()
    assert values(own[-1])['uav_1/x'] == 0.0
    assert [values(one)['uav_1/seq'] for one in own] == list(range(1, len(own) + 1))


def test_a_command_towards_another_one_is_changed_and_the_status_says_by_whom(ros: Ros) -> None:
    seat = Seat(ros)
    others = said(ros.now_ns(), agent(2, 1, (2.2, 0.0, 5.0)))
    seat.others.publish(others)
    seat.until(seat.moves, 'a command', (3.0, 0.0, 0.0))
    assert seat.twist()[0] < 1.0
    seat.until(
        lambda: seat.told.statuses(STATUS) and seat.value('last_change_by') == 'uav_2',
        'the cause', (3.0, 0.0, 0.0),
    )  # fmt: skip
    assert seat.value('last_change_reason') == 'SEPARATION'
    assert float(seat.value('changed_share')) > 0.0
    seat.until(
        lambda: seat.told.shows(STATUS, WARN, 'silent: uav_2'), 'the silent one', (3.0, 0.0, 0.0)
    )


def test_telemetry_says_what_the_filter_did_as_that_of_an_agent(ros: Ros) -> None:
    """Its names are those of body and filter; it has no law, so nothing stands between them."""
    told: Heard = ros.listen(JointState, '/uav_1/telemetry', STATE)
    seat = Seat(ros)
    seat.until(lambda: bool(told), 'telemetry')
    assert tuple(told.last.name) == (*BODY, *FILTER_NAMES)
    alone = (*PLACE, 0.0, -1.0, -1.0, NONE, NOBODY, 0.0)
    assert tuple(told.last.position) == alone
    seat.others.publish(said(ros.now_ns(), agent(2, 1, (2.2, 0.0, 5.0))))
    wish = (3.0, 0.0, 0.0)
    seat.until(lambda: values(told.last)['filter_reason'] != NONE, 'a change', wish)
    found = values(told.last)
    assert (found['filter_reason'], found['filter_pusher']) == (SEPARATION, 2.0)
    assert found['filter_change'] > 1.0
    ros.call(SetBool, '/uav_1/emergency_stop', SetBool.Request(data=True))
    seat.until(lambda: tuple(told.last.position) == alone, 'the stop', wish)


@pytest.mark.parametrize(
    ('topic', 'number', 'name'),
    [('uav_7/odom', 7.0, '/uav_7/odom'), ('/truck/odom', OTHER_ID, '/truck/odom')],
)
def test_a_vehicle_that_has_only_odometry_is_told_as_everybody_knows_it(
    ros: Ros, topic: str, number: float, name: str
) -> None:
    told: Heard = ros.listen(JointState, '/uav_1/telemetry', STATE)
    seat = Seat(ros, odometry_topics=topic)
    voice = ros.voice(Odometry, name, STATE)

    def live() -> None:
        voice.publish(odometry(ros.now_ns(), (2.2, 0.0, 5.0)))
        seat.live((3.0, 0.0, 0.0))

    changed = f'a change by {number:g}'
    ros.until(lambda: (live(), told and values(told.last)['filter_pusher'] == number)[1], changed)
    ros.until(
        lambda: (live(), seat.told.statuses(STATUS) and seat.value('last_change_by') == name)[1],
        'the status',
    )


def test_stamped_commands_in_the_frame_of_the_body_stay_in_it(ros: Ros) -> None:
    seat = Seat(ros, enable_stamped_cmd_vel=True, cmd_vel_frame='base_link')
    frame = 'uav_1/base_link'

    def live() -> None:
        seat.say((1.0, 0.0, 0.0), frame=frame)
        seat.live(yaw=math.pi / 2.0)

    ros.until(lambda: (live(), seat.moves())[1], 'a command')
    assert seat.commands.last.header.frame_id == frame
    assert seat.twist() == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-12)
    seat.others.publish(said(ros.now_ns(), agent(2, 1, (0.0, 2.2, 5.0))))
    ros.until(lambda: (live(), abs(seat.twist()[0]) < 0.7)[1], 'a slower command')
    seat.say((1.0, 0.0, 0.0), frame='map')
    ros.until(lambda: (live(), seat.node.health.refused['cmd_vel_raw'])[1], 'a refusal')


def test_without_commands_it_stops_and_says_so_once(ros: Ros) -> None:
    seat = Seat(ros, cmd_vel_timeout=0.3)
    seat.until(seat.rests, 'zero before the first command')
    seat.until(lambda: seat.told.shows(STATUS, WARN, 'no command received yet'), 'the status')
    seat.until(seat.moves, 'a command', (1.0, 0.0, 0.0))
    seat.until(seat.rests, 'the stop')
    seat.until(lambda: seat.told.shows(STATUS, WARN, 'no command on /uav_1/cmd_vel_raw'), 'why')
    before = len(seat.told.statuses(STATUS))
    seat.until(lambda: len(seat.told.statuses(STATUS)) > before + 1, 'more statuses')
    assert sum('no command on' in line for line in seat.told.lines('uav_1.safety')) == 1
    assert seat.value('command_timeouts') == '1'
    seat.until(seat.moves, 'the return', (1.0, 0.0, 0.0))


def test_without_odometry_it_stops_and_says_so(ros: Ros) -> None:
    seat = Seat(ros, odom_timeout=0.3)
    seat.until(seat.rests, 'zero before the first odometry', (1.0, 0.0, 0.0), with_odometry=False)
    seat.until(seat.moves, 'a command', (1.0, 0.0, 0.0))
    seat.until(seat.rests, 'the stop', (1.0, 0.0, 0.0), 0.5, with_odometry=False)
    sent = len(seat.states)
    seat.until(
        lambda: seat.told.shows(STATUS, ERROR, 'odometry lost'), 'why', (1.0, 0.0, 0.0),
        with_odometry=False,
    )  # fmt: skip
    assert is_zero(seat.commands.last)
    assert len(seat.states) == sent
    assert seat.told.logged('uav_1.safety', 'command 0 until it is back')
    seat.until(seat.moves, 'the return', (1.0, 0.0, 0.0))


@pytest.mark.parametrize('wrong', [math.nan, math.inf])
def test_what_is_not_finite_is_refused_and_never_comes_out(ros: Ros, wrong: float) -> None:
    seat = Seat(ros)
    seat.until(seat.moves, 'a command', (1.0, 0.0, 0.0))
    for bad in ((wrong, 0.0, 0.0), (0.0, 0.0, wrong)):
        seat.say(bad)
    seat.say((1.0, 0.0, 0.0), wrong)
    seat.until(lambda: seat.node.health.refused['cmd_vel_raw'] == 3, 'three refusals')
    seat.until(seat.rests, 'the timeout: nothing else came')
    assert all(
        math.isfinite(n)
        for one in seat.commands
        for n in (one.linear.x, one.linear.y, one.linear.z, one.angular.z)
    )


def test_commands_beyond_all_limits_come_out_within_them(ros: Ros) -> None:
    seat = Seat(ros)
    for huge in (1e308, -1e308, 1e200):
        seat.until(lambda: len(seat.commands) > 3, 'commands', (huge, huge, huge))
    assert all(
        math.hypot(one.linear.x, one.linear.y) <= 10.0 + 1e-9 and abs(one.linear.z) <= 5.0
        for one in seat.commands
    )


def test_it_obeys_the_emergency_stop_of_all_and_its_own(ros: Ros) -> None:
    seat = Seat(ros)
    operator = Operator(ros)
    seat.until(seat.moves, 'a command', (1.0, 0.0, 0.0), 0.5)
    operator.order(True)
    seat.until(seat.rests, 'the stop', (1.0, 0.0, 0.0), 0.5)
    seat.until(
        lambda: seat.told.shows(STATUS, ERROR, 'stopped by the operator'), 'the status',
        (1.0, 0.0, 0.0),
    )  # fmt: skip
    assert seat.rests()
    assert not [one for one in seat.commands if one.linear.x == 0.0 != one.angular.z]
    operator.order(False)
    seat.until(seat.moves, 'the release', (1.0, 0.0, 0.0))
    stop = ros.call(SetBool, '/uav_1/emergency_stop', SetBool.Request(data=True))
    assert stop.success
    seat.until(seat.rests, 'the own stop', (1.0, 0.0, 0.0))


def test_a_command_from_before_the_release_moves_nothing(ros: Ros) -> None:
    seat = Seat(ros, cmd_vel_timeout=30.0)
    seat.until(seat.moves, 'a command', (1.0, 0.0, 0.0))
    ros.call(SetBool, '/uav_1/emergency_stop', SetBool.Request(data=True))
    seat.until(seat.rests, 'the stop')
    ros.call(SetBool, '/uav_1/emergency_stop', SetBool.Request(data=False))
    before = len(seat.commands)
    seat.until(lambda: len(seat.commands) > before + 5, 'commands after the release')
    assert all(map(is_zero, seat.commands[before:]))
    seat.until(seat.moves, 'a new command', (1.0, 0.0, 0.0))


def test_another_source_of_commands_behind_it_is_an_error(ros: Ros) -> None:
    seat = Seat(ros)
    ros.tester.create_publisher(Twist, '/uav_1/cmd_vel', COMMAND)
    seat.until(
        lambda: seat.told.shows(STATUS, ERROR, '2 publishers on /uav_1/cmd_vel'), 'an error'
    )


def test_an_agent_that_says_where_it_is_need_not_be_repeated(
    ros: Ros, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it nobody would avoid the vehicle, which is an error."""
    monkeypatch.setattr(identity_watch, 'SILENT_AFTER', 0.3)
    telemetry: Heard = ros.listen(JointState, '/uav_1/telemetry', STATE)
    seat = Seat(ros, publish_state=False)
    seat.until(
        lambda: seat.told.shows(STATUS, ERROR, 'nobody publishes the state of uav_1'), 'why'
    )
    assert not seat.states and not telemetry
    seq = iter(range(1, 10_000))

    def live() -> None:
        seat.others.publish(said(ros.now_ns(), agent(1, next(seq), PLACE)))
        seat.live((1.0, 0.0, 0.0))

    ros.until(lambda: (live(), seat.told.statuses(STATUS)[-1].level != ERROR)[1], 'it is told')


def test_two_that_say_where_it_is_are_named(ros: Ros) -> None:
    seat = Seat(ros)
    seq = iter(range(1000, 10_000))

    def live() -> None:
        seat.others.publish(said(ros.now_ns(), agent(1, next(seq), (9.0, 9.0, 9.0))))
        seat.live((1.0, 0.0, 0.0))

    ros.until(
        lambda: (live(), seat.told.shows(STATUS, ERROR, 'another agent publishes as uav_1'))[1],
        'an error',
    )


def test_its_state_has_the_age_of_the_odometry(ros: Ros) -> None:
    seat = Seat(ros)

    def live() -> None:
        seat.odom.publish(odometry(ros.now_ns() - 200_000_000, PLACE, body='base_link'))
        ros.meanwhile(0.02)

    ros.until(lambda: (live(), len(seat.states) > 3)[1], 'states')
    assert all(0.2 <= values(one)['uav_1/age'] <= 0.25 for one in seat.states)


def test_distances_limits_and_timeout_change_in_flight(ros: Ros) -> None:
    seat = Seat(ros)
    seat.others.publish(said(ros.now_ns(), agent(2, 1, (6.0, 0.0, 5.0))))
    seat.until(lambda: seat.moves() and seat.twist()[0] == 0.5, 'a command', (0.5, 0.0, 0.0))
    assert set_parameters(ros, NODE, separation_distance=5.9, cmd_vel_timeout=0.4) == ['', '']
    seat.until(lambda: seat.twist()[0] < 0.4, 'a slower command', (0.5, 0.0, 0.0))
    assert set_parameters(ros, NODE, max_speed_xy=0.1) == ['']
    seat.until(lambda: abs(seat.twist()[1]) < 0.11, 'the limit', (0.0, 5.0, 0.0))


def test_odometry_of_others_that_is_missing_or_ends_is_reported(ros: Ros) -> None:
    seat = Seat(ros, odometry_topics='/uav_7/odom')
    seat.until(
        lambda: seat.told.shows(STATUS, STALE, 'no odometry received yet on /uav_7/odom'),
        'never heard', (1.0, 0.0, 0.0),
    )  # fmt: skip
    voice = ros.voice(Odometry, '/uav_7/odom', STATE)
    voice.publish(odometry(ros.now_ns(), (2.2, 0.0, 5.0), body='x'))
    since = ros.now_ns()
    seat.until(lambda: seat.twist()[0] < 1.0, 'the filter', (3.0, 0.0, 0.0))
    seat.until(
        lambda: seat.told.shows(STATUS, WARN, 'no odometry on /uav_7/odom', 'has stopped'),
        'silence', (3.0, 0.0, 0.0),
    )  # fmt: skip
    assert ros.now_ns() - since < 3e9
    assert seat.value('last_change_by') == '/uav_7/odom'
    assert seat.twist()[0] < 1.0


@pytest.mark.parametrize(
    ('given', 'text'),
    [
        ({'agent_id': 2}, 'differ'),
        ({'lockstep': True}, 'lockstep = true must be false'),
        ({'odometry_topics': 'uav_1/odom'}, 'odometry of this vehicle'),
        ({'odometry_topics': '/a,/a'}, 'names /a twice'),
        ({'odometry_topics': '/a,'}, 'has an empty name'),
    ],
)
def test_what_makes_no_sense_is_refused(ros: Ros, given: dict[str, Any], text: str) -> None:
    with pytest.raises(ParameterError, match=text):
        ros.make(SafetyNode, '/uav_1', **given)


def test_its_own_output_is_no_input(ros: Ros) -> None:
    given = ['--ros-args', '-r', 'cmd_vel_raw:=cmd_vel']
    ros.refused = True
    with pytest.raises(StartupError, match='are both /uav_1/cmd_vel'):
        SafetyNode(namespace='/uav_1', cli_args=given)
