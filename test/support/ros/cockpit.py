"""For tests of the agent node: the node with everything around it, played by the tester."""

from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.ros.bodies import agent, odometry, said, target
from support.ros.graph import Heard, Ros
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

PLACE: Vector = (30.0, 0.0, 5.0)


class Cockpit:
    """An agent node with everything around it."""

    def __init__(self, ros: Ros, **parameters: object) -> None:
        """Start uav_1."""
        self.ros = ros
        stamped = bool(parameters.get('enable_stamped_cmd_vel'))
        self.node = ros.make(AgentNode, '/uav_1', **parameters)
        self.commands: Heard = ros.listen(
            TwistStamped if stamped else Twist, '/uav_1/cmd_vel', COMMAND
        )
        self.states: Heard = ros.listen(JointState, '/swarm/agent_states', STATE)
        self.telemetry: Heard = ros.listen(JointState, '/uav_1/telemetry', STATE)
        self.odom = ros.voice(Odometry, '/uav_1/odom', STATE)
        self.target = ros.voice(JointState, '/swarm/target_state', STATE)
        self.others = ros.voice(JointState, '/swarm/agent_states', STATE, 2)
        self.seq = 0
        self.clock_of_neighbours: dict[int, float] = {}

    def live(self, place: Vector | None = PLACE, with_target: bool = True,
             neighbours: tuple[Vector, ...] = ()) -> None:  # fmt: skip
        """Let the world go on around it for a moment."""
        self.seq += 1
        now = self.ros.now_ns()
        if place is not None:
            self.odom.publish(odometry(now, place))
        if with_target:
            self.target.publish(said(now, target(self.seq)))
        for k, position in enumerate(neighbours, start=2):
            clock_ns = now + int(1e9 * self.clock_of_neighbours.get(k, 0.0))
            self.others.publish(said(clock_ns, agent(k, self.seq, position)))
        self.ros.meanwhile(0.02)

    def own_states(self) -> list[JointState]:
        """Return what it said about itself."""
        return [message for message in self.states if message.name[0] == 'uav_1/x']

    def until(self, condition: Callable[[], Any], what: str, **living: Any) -> None:
        """Live until a condition holds."""
        self.ros.until(lambda: (self.live(**living), condition())[1], what)
