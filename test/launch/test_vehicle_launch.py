"""vehicle.launch.py and safety.launch.py: an agent, or a filter, with a vehicle of any kind."""

import math
from pathlib import Path

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.scenario.placement import initial_positions
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from support.ros.graph import Ros, domain, ros
from support.ros.launched import START_UP, LaunchDescription, description, launch, launch_pytest
from support.ros.sent_messages import command_to_twist
from support.ros.told import Told
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

LAUNCH_FILE = 'vehicle.launch.py'
LAW = 'two_channel'


@launch_pytest.fixture
def simulated(domain: int) -> LaunchDescription:
    """Return agent 3 with a simulated vehicle."""
    return description(LAUNCH_FILE, domain, {'id': '3'})


@launch_pytest.fixture
def under_another_law(domain: int) -> LaunchDescription:
    """Return agent 3 with a simulated vehicle, under a law that the scenario does not name."""
    return description(LAUNCH_FILE, domain, {'id': '3', 'controller': LAW})


@launch_pytest.fixture
def external(domain: int) -> LaunchDescription:
    """Return agent 2 of a swarm elsewhere, whose vehicle is the tester."""
    arguments = {'id': '2', 'vehicle': 'none', 'namespace': 'drone', 'scenario': 'lossy_radio'}
    return description(LAUNCH_FILE, domain, arguments)


@launch_pytest.fixture
def with_parameters(domain: int, tmp_path: Path) -> LaunchDescription:
    """Return agent 2 with a parameter file."""
    path = tmp_path / 'mine.yaml'
    path.write_text('/**: {ros__parameters: {odom_timeout: 1.25}}', encoding='utf-8')
    arguments = {'id': '2', 'params_file': str(path), 'inject_failures': 'true'}
    stamped = {'enable_stamped_cmd_vel': 'true', 'use_sim_time': 'true'}
    return description(LAUNCH_FILE, domain, {**arguments, **stamped})


def parameters(ros: Ros, node: str, *names: str) -> list[object]:
    """Ask a node for the values of parameters."""
    request = GetParameters.Request(names=names)
    answer = ros.call(GetParameters, f'{node}/get_parameters', request)
    return [parameter_value_to_python(value) for value in answer.values]


@pytest.mark.launch(fixture=simulated)
def test_simulated_vehicle_waits_on_the_ring(ros: Ros) -> None:
    """The vehicle starts at the agent's place of the scenario; the agent commands it."""
    place = initial_positions(load_scenario(find_scenario('demo')))[3]
    odometry = ros.listen(Odometry, '/uav_3/odom', STATE)
    commands = ros.listen(Twist, '/uav_3/cmd_vel', COMMAND)
    ros.until(lambda: odometry and commands, 'odometry and commands', START_UP)
    position = odometry[0].pose.pose.position
    assert math.dist((position.x, position.y, position.z), place) < 1e-9
    assert odometry[0].child_frame_id == 'uav_3/base_link'


@pytest.mark.launch(fixture=under_another_law)
def test_law_is_chosen_by_an_argument(ros: Ros) -> None:
    """The agent speaks of what this law computes."""
    telemetry = ros.listen(JointState, '/uav_3/telemetry', STATE)
    ros.until(lambda: telemetry, 'telemetry', START_UP)
    assert set(CONTROLLERS[LAW].telemetry_names) <= set(telemetry.last.name)


@pytest.mark.launch(fixture=external)
def test_external_vehicle_is_commanded_once_it_reports(ros: Ros) -> None:
    """Without odometry no command; with it, stamped commands in the chosen namespace.

    Nobody waits for a simulated radio, nor does anybody fail on purpose.
    """
    told = Told(ros)
    commands = ros.listen(TwistStamped, '/drone/cmd_vel', COMMAND)
    voice = ros.tester.create_publisher(Odometry, '/drone/odom', COMMAND)
    ros.until(voice.get_subscription_count, 'the agent', START_UP)
    ros.until(lambda: 'drone/agent: control' in told.names(), 'its word that it is there')
    found = parameters(ros, '/drone/agent', 'medium', 'inject_failures', 'enable_stamped_cmd_vel')
    assert found == [False, False, True]
    assert not commands
    report = Odometry(child_frame_id='drone/base_link')
    report.header.frame_id = 'map'
    report.pose.pose.orientation.w = 1.0

    def is_commanded() -> bool:
        report.header.stamp = ros.tester.get_clock().now().to_msg()
        voice.publish(report)
        return bool(commands)

    ros.until(is_commanded, 'a command')
    assert commands.last.header.frame_id == 'map'


@pytest.mark.launch(fixture=with_parameters)
def test_parameters_of_a_file_go_before_those_of_the_scenario(ros: Ros) -> None:
    """The file is the agent's; the vehicle knows nothing of it."""
    client = ros.tester.create_client(GetParameters, '/uav_2/agent/get_parameters')
    ros.until(client.service_is_ready, 'the agent', START_UP)
    names = ('odom_timeout', 'inject_failures', 'enable_stamped_cmd_vel', 'use_sim_time')
    assert parameters(ros, '/uav_2/agent', *names) == [1.25, True, True, True]
    stamped = parameters(ros, '/uav_2/mobility_node', 'enable_stamped_cmd_vel', 'use_sim_time')
    assert stamped == [True, True]


@pytest.mark.parametrize('arguments', [{'id': '11'}, {'params_file': 'nope.yaml'}])
def test_refused_arguments(domain: int, arguments: dict[str, str]) -> None:
    """The launch fails and starts nothing."""
    assert launch(LAUNCH_FILE, domain, arguments) == 1


@launch_pytest.fixture
def filtered(domain: int) -> LaunchDescription:
    """Return the filter of uav_2 with a simulated vehicle."""
    return description('safety.launch.py', domain, {'id': '2', 'odometry_topics': 'uav_9/odom'})


@pytest.mark.launch(fixture=filtered)
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
