"""ROS parameters from records: declared with their bounds, checked at the start and later."""

import math
from dataclasses import dataclass

import pytest
from rcl_interfaces.msg import ParameterType
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown

pytestmark = pytest.mark.ros


@dataclass(frozen=True)
class Body(Parameters):
    """A record with one field of each kind."""

    mass: float = parameter(1.5, 'how heavy', unit='kg', above=0.0, runtime=True)
    share: float = parameter(0.5, 'a share', minimum=0.0, maximum=1.0, runtime=True)
    count: int = parameter(3, 'how many', minimum=1, maximum=9)
    lag: float | None = parameter(None, 'lag', unit='s', above=0.0, runtime=True)
    colour: str = parameter('red', 'colour', choices=('red', 'blue'))
    on: bool = parameter(True, 'a switch')


@pytest.fixture
def make(ros):
    """Return a maker of nodes with overrides."""

    def maker(**overrides: object) -> Node:
        given = [Parameter(name, value=value) for name, value in overrides.items()]
        return ros.add(Node('thing', namespace='/n', parameter_overrides=given))

    return maker


def test_defaults_are_in_force_without_overrides(make):
    node = make()
    assert declare(node, Body) == Body()
    assert node.get_parameter('count').value == 3
    assert math.isnan(node.get_parameter('lag').value)


def test_overrides_are_in_force(make):
    """A whole number will do for a float."""
    node = make(share=1, lag=0.1, colour='blue', on=False)
    record = declare(node, Body)
    assert record == Body(share=1.0, lag=0.1, colour='blue', on=False)
    assert type(record.share) is float


@dataclass(frozen=True)
class Lagging(Parameters):
    """A record whose number has a default, and may have no value."""

    lag: float | None = parameter(0.5, 'lag', unit='s', above=0.0)


@pytest.mark.parametrize('spelling', ['none', '~', '.nan'])
def test_a_file_and_the_command_line_spell_it_as_they_like(ros, tmp_path, spelling):
    file = tmp_path / 'parameters.yaml'
    file.write_text(f'/**:\n  ros__parameters:\n    lag: {spelling}\n')
    for given in (['--params-file', str(file)], ['-p', f'lag:={spelling}']):
        node = ros.add(Node('thing', namespace='/n', cli_args=['--ros-args', *given]))
        assert declare(node, Lagging).lag is None


@pytest.mark.parametrize(
    ('override', 'text'),
    [
        ({'mass': 0.0}, '/n/thing: mass = 0.0 must be above 0 kg'),
        ({'mass': 'heavy'}, "/n/thing: mass = 'heavy' is a str"),
        ({'lag': -0.1}, '/n/thing: lag = -0.1 must be above 0 s'),
        ({'colour': 'green'}, "/n/thing: colour = 'green' must be one of red, blue"),
    ],
)
def test_a_bad_override_is_refused_with_node_name_value_and_bound(make, override, text):
    with pytest.raises(ParameterError) as caught:
        declare(make(**override), Body)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize(('name', 'value'), [('share', 1.5), ('count', 0)])
def test_beyond_a_closed_range_either_check_refuses(make, name, value):
    with pytest.raises((ParameterError, InvalidParameterValueException), match=name):
        declare(make(**{name: value}), Body)


def test_the_descriptor_tells_meaning_unit_range_and_whether_it_may_change(make):
    node = make()
    declare(node, Body)
    mass = node.describe_parameter('mass')
    assert mass.description == 'how heavy [kg]'
    assert mass.additional_constraints == 'above 0 kg'
    assert not mass.read_only
    colour = node.describe_parameter('colour').additional_constraints
    assert colour == 'one of red, blue; read at start'
    assert node.describe_parameter('count').read_only
    (share,) = node.describe_parameter('share').floating_point_range
    assert (share.from_value, share.to_value) == (0.0, 1.0)
    (count,) = node.describe_parameter('count').integer_range
    assert (count.from_value, count.to_value) == (1, 9)


def test_types_are_those_of_the_record(make):
    node = make()
    declare(node, Body)
    kinds = {name: node.get_parameter(name).get_parameter_value().type for name in ('mass', 'on')}
    assert kinds == {
        'mass': ParameterType.PARAMETER_DOUBLE,
        'on': ParameterType.PARAMETER_BOOL,
    }


@pytest.mark.parametrize(
    ('name', 'text'),
    [('masss', r"unknown parameter 'masss'; did you mean 'mass'\?"),
     ('zzzz', r"unknown parameter 'zzzz'$")],
)  # fmt: skip
def test_an_unknown_override_is_refused_with_a_suggestion_if_there_is_one(make, name, text):
    node = make(**{name: 2.0})
    declare(node, Body)
    with pytest.raises(ParameterError, match=text):
        refuse_unknown(node)


def test_what_ros_itself_declares_is_no_unknown(make):
    node = make(use_sim_time=False, mass=2.0)
    declare(node, Body)
    refuse_unknown(node)
    assert node.has_parameter('mass')


@pytest.mark.parametrize('simulated', [False, True])
def test_the_clock_does_not_change_while_a_node_runs(make, simulated):
    node = make(use_sim_time=simulated)
    refuse_unknown(node)
    other, same = (Parameter('use_sim_time', value=value) for value in (not simulated, simulated))
    result = node.set_parameters_atomically([other])
    assert not result.successful
    assert result.reason == (
        f'use_sim_time = {simulated} cannot change while the node runs, its time would jump: '
        f'restart it with -p use_sim_time:={str(not simulated).lower()}'
    )
    assert node.get_parameter('use_sim_time').value == simulated
    assert node.get_clock().ros_time_is_active == simulated
    assert node.set_parameters_atomically([same]).successful
