"""safety.launch.py under the real launch: a vehicle with a controller of its own."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from support.ros.graph import Ros, domain, ros
from support.ros.launched import START_UP, LaunchDescription, description, launch_pytest
from velocity_mobility_ros.ros_io.messages import command_to_twist
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros


@launch_pytest.fixture
def simulated(domain: int) -> LaunchDescription:
    """Return the filter of uav_2 with a simulated vehicle."""
    return description('safety.launch.py', domain, {'id': '2', 'odometry_topics': 'uav_9/odom'})


@pytest.mark.launch(fixture=simulated)
def test_a_command_reaches_the_vehicle_and_all_hear_where_it_is(ros: Ros) -> None:
    """The tester is the controller."""
    odometry = ros.listen(Odometry, '/uav_2/odom', STATE)
    states = ros.listen(JointState, '/swarm/agent_states', STATE)
    voice = ros.tester.create_publisher(Twist, '/uav_2/cmd_vel_raw', COMMAND)

    def is_moving() -> bool:
        voice.publish(command_to_twist((0.0, 1.0, 0.0), 0.0))
        return bool(odometry) and odometry.last.twist.twist.linear.y > 0.3

    ros.until(is_moving, 'motion', START_UP)
    ros.until(lambda: states and states.last.name[0] == 'uav_2/x', 'its states')
    assert ros.tester.count_subscribers('/uav_9/odom') == 1
