"""What changes while a trajectory node flies: its clock and its parameters."""

import pytest
from nav_msgs.msg import Odometry
from support.ros.graph import set_parameters
from support.ros.path_flight import LOGGER, NODE, PathFlight
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros


@pytest.mark.parametrize('mode', ['absolute', 'relative'])
@pytest.mark.parametrize('jump', [20.0, -20.0])
def test_a_jump_of_the_clock_is_told_and_the_path_is_flown_on(ros, jump, mode):
    flight = PathFlight(ros, vehicle=False, time_mode=mode)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    for _ in range(4):
        flight.stand(voice)
    flight.send((1.5, 0.0, 0.0), (1.5, 1.0, 0.0, 6.0))
    for _ in range(6):
        flight.stand(voice)
    flight.now_ns += round(jump * 1e9)
    for _ in range(12):
        flight.stand(voice)
    assert flight.told.logged(LOGGER, 'the clock jumped or the node stalled')
    values = flight.values()
    late = float(values['lateness_s'])
    is_late = mode == 'absolute' and jump > 0.0
    assert (late > 10.0) == is_late
    assert values['last_error'] == 'none'
    before = len(flight.commands)
    flight.stand(voice)
    flight.stand(voice)
    ros.until(lambda: len(flight.commands) > before, 'commands')


def test_parameters_change_while_it_flies(ros):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((60.0, 0.0, 0.0))
    flight.advance(2.0)
    assert flight.commands.last.linear.x > 3.0
    assert set_parameters(ros, NODE, cruise_speed=1.0, tau_xy=0.05) == ['', '']
    flight.advance(3.0)
    assert flight.commands.last.linear.x == pytest.approx(1.0, abs=0.3)
    (why,) = set_parameters(ros, NODE, max_speed=0.0)
    assert why.startswith('max_speed = 0.0 must be above 0')
    (why,) = set_parameters(ros, NODE, step=0.1)
    assert why.startswith('step is read-only')
