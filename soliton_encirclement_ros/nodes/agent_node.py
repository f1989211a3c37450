"""One agent of the swarm: hears neighbours and target, commands its vehicle."""

from dataclasses import dataclass

from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.entry import run_nodes
from velocity_mobility_ros.ros_io.messages import values_to_joint_state
from velocity_mobility_ros.ros_io.parameters import declare
from velocity_mobility_ros.ros_io.qos import LOCKSTEP, STATE

from soliton_encirclement_ros.actors import make_agent
from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.parameters import (
    CommandLimits,
    ControlParameters,
    FailureParameters,
)
from soliton_encirclement_ros.core.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.states import Pose
from soliton_encirclement_ros.core.telemetry import telemetry_values
from soliton_encirclement_ros.core.topics import AGENT_STATES, TARGET_STATE, TELEMETRY, uav_id
from soliton_encirclement_ros.nodes.member import MemberNode


@dataclass(frozen=True)
class AgentNodeParameters(Parameters):
    """Who the agent is."""

    agent_id: int = parameter(0, 'number k of uav_k; 0: taken from the namespace', minimum=0)
    publish_telemetry: bool = parameter(True, 'publish internal values at every tick')


class AgentNode(MemberNode):
    """An agent actor at the border to ROS."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin.

        Raises:
            ParameterError: A parameter is refused or the agent has no number.
        """
        super().__init__('agent', AGENT_STATES, (AGENT_STATES, TARGET_STATE), **options)
        setup = Setup(
            declare(self, ControlParameters),
            declare(self, PropagationParameters),
            self.swarm,
            declare(self, CommandLimits),
        )
        failure = declare(self, FailureParameters)
        self._node = declare(self, AgentNodeParameters)
        agent_id = self._node.agent_id or _id_from_namespace(self)
        agent = make_agent(agent_id, setup, failure, self.member.seed)
        self.failures = agent.failures
        self._telemetry = self.create_publisher(
            JointState, TELEMETRY, LOCKSTEP if self.member.lockstep else STATE
        )
        self.create_service(Trigger, 'fail', self._on_fail)
        self.create_service(Trigger, 'recover', self._on_recover)
        self.start(agent)

    def facts(self) -> dict[str, object]:
        """Add the state of health and how often a neighbour fell silent."""
        own = {'failed': self.failures.failed, 'neighbour_timeouts': self.actor.timeouts}
        return {**super().facts(), **own}

    def concern(self) -> str:
        """Say when the agent is down."""
        return 'down' if self.failures.failed else super().concern()

    def is_watched(self) -> bool:
        """Wait for the readers of the telemetry, too."""
        return super().is_watched() and self.is_observed(self._telemetry)

    def after_tick(self, now_ns: int, pose: Pose) -> None:
        """Publish where the agent is and what it thinks, also while it is down."""
        if not self._node.publish_telemetry:
            return
        values = telemetry_values(pose, self.failures.failed, self.actor.controller)
        self._telemetry.publish(values_to_joint_state(now_ns, *values))

    def _on_fail(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self.failures.fail()
        response.success, response.message = True, 'down until recover is called'
        return response

    def _on_recover(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success = self.failures.failed
        response.message = 'up again' if self.failures.failed else 'was not down'
        if self.failures.failed:
            self.failures.recover(self.actor.now)
        return response


def _id_from_namespace(node: Node) -> int:
    agent_id = uav_id(node.get_namespace().rpartition('/')[2])
    if agent_id is None:
        raise ParameterError(
            f'agent_id = 0 and namespace {node.get_namespace()!r} names no agent; start the node '
            'in a namespace such as /uav_1 (-r __ns:=/uav_1) or set agent_id'
        )
    return agent_id


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [AgentNode()], args)
