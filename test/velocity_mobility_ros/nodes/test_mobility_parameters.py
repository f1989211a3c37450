"""Parameters of a simulated vehicle: at the start, in flight, and those that are refused."""

import math

import pytest
from rclpy.exceptions import InvalidParameterValueException
from support.ros.graph import Ros, set_parameters
from support.ros.simulated_vehicle import AGILE, NODE, SimulatedVehicle
from support.ros.told import Told
from support.vehicles.integrator import integrator
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode

__all__ = ['integrator']

pytestmark = pytest.mark.ros


def test_a_limit_can_be_changed_while_it_flies(ros):
    vehicle = SimulatedVehicle(ros, **AGILE)
    vehicle.say((9.0, 0.0, 0.0))
    vehicle.reach((9.0, 0.0, 0.0))
    assert set_parameters(ros, NODE, max_speed_xy=3) == ['']
    vehicle.reach((3.0, 0.0, 0.0), 1e-9)
    (why,) = set_parameters(ros, NODE, max_speed_xy=-1.0)
    assert why == 'max_speed_xy = -1.0 must be at least 0 m/s'
    (why,) = set_parameters(ros, NODE, update_rate=0.5)
    assert why.startswith('update_rate is read-only (')
    vehicle.ros.meanwhile(0.1)
    assert vehicle.velocity[0] == pytest.approx(3.0)


def test_its_clock_does_not_change_in_flight(ros):
    SimulatedVehicle(ros)
    (why,) = set_parameters(ros, NODE, use_sim_time=True)
    assert 'use_sim_time = False cannot change while the node runs' in why


@pytest.mark.parametrize(
    ('frames', 'words'),
    [
        ({}, 'odometry on /uav_1/odom in map'),
        ({'odom_frame': 'odom'}, 'odometry on /uav_1/odom in uav_1/odom'),
        ({'frame_id': 'world'}, 'odometry on /uav_1/odom in world'),
    ],
)
def test_its_first_line_says_in_which_frame_the_odometry_is(ros, frames, words):
    told = Told(ros)
    ros.make(MobilityNode, '/uav_1', **frames)
    ros.until(lambda: [one for one in told.lines('uav_1.mobility_node') if one.endswith(words)],
              words)  # fmt: skip


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'tau_xy': 0.0}, '/uav_1/mobility_node: tau_xy = 0.0 must be above 0 s'),
        ({'max_acc_xy': -4.0}, 'max_acc_xy = -4.0 must be at least 0 m/s^2'),
        ({'update_rate': 0.0}, 'update_rate'),
        ({'update_rate': 1e-12}, 'update_rate'),
        ({'cmd_vel_timeout': -1.0}, 'cmd_vel_timeout = -1.0 must be at least 0 s'),
        ({'cmd_vel_frame': 'odom'}, "cmd_vel_frame = 'odom' must be one of map, base_link"),
        ({'initial_x': math.nan}, 'initial_x = nan must be'),
        ({'initial_x': 1e300}, 'initial_x = 1e+300 must be at least -1e+09 and at most 1e+09 m'),
        ({'frame_id': ''}, "frame_id = '' must name a frame, such as map"),
        ({'frame_id': 'a map'}, "frame_id = 'a map' must not contain blanks"),
        ({'odom_frame': 'a\nb'}, "odom_frame = 'a\\nb' must not contain blanks"),
        ({'child_frame_id': '\t'}, "child_frame_id = '\\t' must not contain blanks"),
        (
            {'odom_frame': 'base_link'},
            '/uav_1/mobility_node: odom_frame and child_frame_id both '
            "name the frame 'uav_1/base_link'; use two different names",
        ),
        ({'child_frame_id': 'map'}, "frame_id and child_frame_id both name the frame 'map'"),
        ({'frame_id': 'uav_1/odom', 'odom_frame': 'odom'}, 'frame_id and odom_frame both name'),
        ({'max_speed': 3.0}, "unknown parameter 'max_speed'; did you mean 'max_speed_"),
    ],
)
def test_a_bad_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises((ParameterError, InvalidParameterValueException)) as caught:
        ros.make(MobilityNode, '/uav_1', **parameters)
    assert text in str(caught.value)


def test_another_vehicle_is_one_parameter(ros, integrator):
    vehicle = SimulatedVehicle(ros, vehicle=integrator, followed_share=0.5, cmd_vel_timeout=0.0)
    vehicle.say((4.0, -2.0, 1.0))
    vehicle.reach((2.0, -1.0, 0.5), tolerance=1e-12)
    set_parameters(ros, NODE, followed_share=1.0)
    vehicle.reach((4.0, -2.0, 1.0), tolerance=1e-12)


def test_a_vehicle_of_second_order_takes_other_lags_in_flight(ros: Ros) -> None:
    """It follows a command; a lag that no vehicle has is refused."""
    vehicle = SimulatedVehicle(ros, vehicle='second_order', **AGILE)
    ros.until(vehicle.voice.get_subscription_count, 'the vehicle')
    vehicle.say((4.0, -2.0, 1.0))
    vehicle.reach((4.0, -2.0, 1.0))
    assert set_parameters(ros, NODE, acceleration_tau_xy=0.3) == ['']
    (why,) = set_parameters(ros, NODE, acceleration_tau_xy=0.0)
    assert 'acceleration_tau_xy = 0.0 must be above 0 s' in why


def test_an_unknown_vehicle_is_refused_with_those_there_are(ros):
    with pytest.raises(ParameterError, match="vehicle = 'rocket' must be one of kinematic"):
        ros.make(MobilityNode, '/uav_1', vehicle='rocket')


def test_a_tracked_vehicle_that_cannot_be_is_refused(ros: Ros) -> None:
    """In the line of its record."""
    with pytest.raises(ParameterError, match=r'sim_dt = 0.003 s must be update_rate = 0.01 s'):
        ros.make(MobilityNode, '/uav_1', vehicle='tracked', sim_dt=0.003)
