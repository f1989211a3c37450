"""One of our agents and the vehicle of a stranger's controller, over real DDS."""

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.safety.safety_node import SafetyNode
from support.ros.bodies import odometry, values
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

PLACES = {'uav_1': (20.0, 0.0, 5.0), 'uav_2': (20.0, 1.5, 5.0), 'target': (0.0, 0.0, 5.0)}
"""The two are nearer to each other than allowed."""


@pytest.mark.parametrize(('given', 'neighbour'), [({}, -1.0), ({'ring_member': True}, 2.0)])
def test_the_agent_keeps_away_and_leaves_a_place_only_if_told_so(
    ros: Ros, given: dict[str, bool], neighbour: float
) -> None:
    ros.make(AgentNode, '/uav_1')
    ros.make(SafetyNode, '/uav_2', **given)
    ros.make(TargetNode, '/target')
    voices = {name: ros.voice(Odometry, f'/{name}/odom', STATE) for name in PLACES}
    told = ros.listen(JointState, '/uav_1/telemetry', STATE)
    requests = ros.listen(JointState, '/swarm/target_state', STATE)

    def live() -> dict[str, float]:
        for name, place in PLACES.items():
            voices[name].publish(odometry(ros.now_ns(), place))
        ros.meanwhile(0.02)
        return values(told.last) if told else {}

    weighed = {'uav_1/lambda', 'uav_2/lambda'} if given else {'uav_1/lambda'}

    def weights() -> set[str]:
        return {name for name in values(requests.last) if 'lambda' in name} if requests else set()

    ros.until(
        lambda: live().get('succ') == neighbour and weights() == weighed, 'the ring of the agent'
    )
    assert live()['pred'] == neighbour
    if not given:  # as its neighbour it flies away from it anyhow
        ros.until(lambda: live().get('filter_pusher') == 2.0, 'the filter of the agent')
        assert live()['succ'] == neighbour
