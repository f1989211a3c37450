"""Parameters that change while a node runs: refused whole with the reason, or applied together."""

import math
from dataclasses import dataclass

import pytest
from rcl_interfaces.msg import (
    Log, Parameter as ParameterMessage, ParameterEvent, ParameterValue, SetParametersResult
)
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_parameter_events

from support.ros.graph import set_parameters
from support.ros.told import OK, WARN, Told
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.node_diagnostics import DOUBTS, NodeDiagnostics
from velocity_mobility_ros.ros_io.ros_parameters import declare

pytestmark = pytest.mark.ros


@dataclass(frozen=True)
class Body(Parameters, live=True):
    """A record of which all may change but the number and the colour."""

    mass: float = parameter(1.5, 'how heavy', unit='kg', above=0.0)
    share: float = parameter(0.5, 'a share', minimum=0.0, maximum=1.0)
    count: int = parameter(3, 'how many', minimum=1, maximum=9, fixed='they are counted once')
    lag: float | None = parameter(None, 'lag', unit='s', above=0.0)


@dataclass(frozen=True)
class Paint(Parameters):
    """A record of which nothing may change but the gloss."""

    colour: str = parameter('red', 'colour', choices=('red', 'blue'))
    gloss: float = parameter(0.0, 'gloss', minimum=0.0, runtime=True)
    depth: float = parameter(1.0, 'depth', runtime=True, only_with={'colour': 'blue'})


@pytest.fixture
def followed(ros):
    """Return a node whose changes are followed, and the list of records applied."""
    node, applied = ros.add(TunableNode('thing', namespace='/n')), []
    node.follow(declare(node, Body), applied.append)
    node.follow(declare(node, Paint), applied.append)
    return node, applied


def set_all(node: Node, **values: object) -> tuple[bool, str]:
    given = [Parameter(name, value=value) for name, value in values.items()]
    result = node.set_parameters_atomically(given)
    return result.successful, result.reason


def test_a_change_at_run_time_is_applied(followed):
    node, applied = followed
    assert set_all(node, mass=4) == (True, '')
    assert applied == [Body(mass=4.0)]
    assert set_all(node, lag=0.3, share=0.25)[0]
    assert applied[-1] == Body(mass=4.0, lag=0.3, share=0.25)


@pytest.mark.parametrize('spelling', [math.nan, 'none'])
def test_a_number_can_be_taken_away_at_run_time(followed, spelling):
    node, applied = followed
    assert set_all(node, lag=0.3)[0]
    assert set_all(node, lag=spelling)[0]
    assert applied[-1].lag is None
    assert set_all(node, lag=0.4)[0]
    assert applied[-1].lag == 0.4


def test_a_change_without_effect_is_answered_with_the_reason(followed):
    node, _ = followed
    reason = "depth = 2.0 has no effect without colour = 'blue'"
    assert set_all(node, depth=2.0, gloss=1.0) == (True, reason)
    assert set_all(node, gloss=2.0) == (True, '')


def heavy(before: Body, after: Body) -> None:
    """Refuse what is too heavy for what it carries."""
    if after.mass > 10.0 * before.mass:
        raise ParameterError(f'mass = {after.mass:g} kg: the crane is too weak')


class Doubter(TunableNode):
    """A node that doubts."""

    body = Body()

    def take(self, body: Body) -> None:
        """Apply."""
        self.body = body

    def doubts(self) -> list[str]:
        """Doubt a share of 1."""
        return ['share: it is all'] if self.body.share == 1.0 else []


def test_what_does_not_suit_the_node_is_refused_by_its_own_check(ros):
    node = ros.add(TunableNode('crane'))
    node.follow(declare(node, Body), lambda _: None, heavy)
    assert set_all(node, mass=16.0, share=0.1) == (False, 'mass = 16 kg: the crane is too weak')
    assert node.get_parameter('share').value == 0.5
    assert set_all(node, mass=15.0) == (True, '')


def test_what_is_doubtful_is_answered_logged_once_and_stands_in_the_status_while_it_holds(ros):
    told = Told(ros)
    node = ros.add(Doubter('doubter'))
    node.follow(declare(node, Body), node.take)
    NodeDiagnostics(node, 'task')
    ros.until(lambda: told.shows('doubter: task', OK), 'the beginning')
    assert set_all(node, share=1.0) == (True, 'share: it is all')
    assert set_all(node, mass=4.0) == (True, '')
    ros.until(lambda: told.shows('doubter: task', WARN, 'share: it is all'), 'the doubt')
    (value,) = [one.value for one in told.statuses('doubter: task')[-1].values
                if one.key == DOUBTS]  # fmt: skip
    assert value == '1'
    assert set_all(node, share=0.9) == (True, '')
    ros.until(lambda: told.shows('doubter: task', OK), 'the end')
    assert told.lines('doubter').count('share: it is all') == 1


@pytest.mark.parametrize(
    ('changes', 'reason'),
    [
        ({'mass': 0.0}, 'mass = 0.0 must be above 0 kg'),
        ({'mass': [1.0, 2.0]}, 'mass = '),
        ({'share': 1.5}, 'share = 1.5 must be at least 0 and at most 1'),
        ({'share': 0.3, 'mass': -1.0}, 'mass = -1.0 must be above 0 kg'),
    ],
)
def test_a_bad_change_is_refused_whole_with_the_reason(followed, changes, reason):
    node, applied = followed
    ok, why = set_all(node, **changes)
    assert not ok
    assert why.startswith(reason)
    assert applied == []
    assert node.get_parameter('share').value == 0.5
    assert node.get_parameter('mass').value == 1.5


def test_two_records_change_together_or_not_at_all(followed):
    node, applied = followed
    assert not set_all(node, mass=4.0, gloss=-1.0)[0]
    assert (node.get_parameter('mass').value, applied) == (1.5, [])
    assert set_all(node, mass=4.0, gloss=2.0)[0]
    assert applied == [Body(mass=4.0), Paint(gloss=2.0)]


def test_nothing_is_applied_that_somebody_else_refuses(followed):
    node, applied = followed
    no = SetParametersResult(successful=False, reason='not now')
    node._on_set_parameters_callbacks.append(lambda _: no)
    assert set_all(node, mass=4.0) == (False, 'not now')
    assert (node.get_parameter('mass').value, applied) == (1.5, [])


@pytest.mark.parametrize(
    ('name', 'value', 'why'),
    [
        ('count', 5, 'count is read-only (at least 1 and at most 9; they are counted once); '
                     'restart the node to change it'),
        ('colour', 'blue', 'colour is read-only (one of red, blue; read at start); '
                           'restart the node to change it'),
    ],
)  # fmt: skip
def test_what_may_not_change_at_run_time_is_refused_with_the_reason(followed, name, value, why):
    node, applied = followed
    assert set_all(node, **{'mass': 9.0, name: value}) == (False, why)
    assert (node.get_parameter('mass').value, applied) == (1.5, [])
    assert node.describe_parameter(name).read_only


def test_all_parameters_of_a_file_can_be_loaded_if_the_fixed_ones_keep_their_values(followed):
    node, applied = followed
    same = {'count': 3, 'colour': 'red', 'lag': math.nan, 'gloss': 0.0}
    assert set_all(node, **same) == (True, '') and applied == []
    assert set_all(node, **same, mass=2.0) == (True, '')
    assert applied == [Body(mass=2.0)]


def test_a_change_is_one_line_in_the_log_and_an_event(ros, followed):
    node, _ = followed
    log = ros.listen(Log, '/rosout', COMMAND)
    events = ros.listen(ParameterEvent, '/parameter_events', qos_profile_parameter_events)

    def lines() -> list[str]:
        return [message.msg for message in log if message.name == 'n.thing']

    def changed() -> list[list[str]]:
        own = [event for event in events if event.node == '/n/thing']
        return [[p.name for p in event.changed_parameters] for event in own]

    ros.until(lambda: node.get_logger().info('hear me') or 'hear me' in lines(), 'a line')
    ros.until(lambda: set_all(node, share=0.25) and changed(), 'an event')
    assert set_all(node, mass=4.0, lag=0.2, gloss=1.0)[0]
    assert set_all(node, mass=4.0)[0]
    assert not set_all(node, mass=-1.0)[0]
    node.get_logger().info('this is all')
    ros.until(lambda: 'this is all' in lines(), 'the last line')
    ros.until(lambda: ['mass', 'lag', 'gloss'] in changed(), 'the event')
    assert [line for line in lines() if 'changed' in line and 'share' not in line] == [
        'parameters changed: mass 1.5 -> 4.0 kg; lag none -> 0.2 s; gloss 0.0 -> 1.0'
    ]


def test_a_node_without_followed_records_takes_what_ros_takes(ros):
    node = ros.add(TunableNode('plain'))
    node.declare_parameter('anything', 1)
    assert set_all(node, anything=2)[0]
    assert node.get_parameter('anything').value == 2


@pytest.mark.parametrize(
    ('name', 'reason'),
    [
        ('lag', 'lag cannot be deleted; set it to none for no value'),
        ('mass', 'mass cannot be deleted; set it to a value above 0 kg'),
        ('count', 'count is read-only (at least 1 and at most 9; they are counted once); '
                  'restart the node to change it'),
    ],
)  # fmt: skip
def test_nothing_can_be_deleted(ros, followed, name, reason):
    node, applied = followed
    before = node.get_parameter(name).value
    assert set_parameters(ros, '/n/thing', **{name: None}) == [reason]
    assert node.get_parameter(name).value == before or math.isnan(before)
    assert set_all(node, lag=0.25)[0] and applied[-1].lag == 0.25


@pytest.mark.parametrize(
    ('name', 'reason', 'atomically'),
    [
        ('masss', "unknown parameter 'masss'; did you mean 'mass'?", False),
        ('a\nb', "unknown parameter 'a\\nb'", True),
    ],
)
@pytest.mark.usefixtures('followed')
def test_an_unknown_parameter_is_named(ros, name, reason, atomically):
    assert set_parameters(ros, '/n/thing', atomically, **{name: 1.0}) == [reason]


def test_a_value_of_no_known_type_is_refused_and_the_node_lives(ros, followed):
    _, applied = followed
    number = 10
    bad = ParameterMessage(name='mass', value=ParameterValue(type=number))
    good = Parameter('share', value=0.25).to_parameter_msg()
    reason = (
        f"'mass' has a value of type {number}, must be one of rcl_interfaces/ParameterType, 0 to 9"
    )
    all_or_none = SetParametersAtomically.Request(parameters=[good, bad])
    answer = ros.call(SetParametersAtomically, '/n/thing/set_parameters_atomically', all_or_none)
    assert (answer.result.successful, answer.result.reason, applied) == (False, reason, [])
    each = SetParameters.Request(parameters=[bad, good])
    answer = ros.call(SetParameters, '/n/thing/set_parameters', each)
    assert [one.successful for one in answer.results] == [False, True]
    assert answer.results[0].reason == reason
    assert applied == [Body(share=0.25)]
