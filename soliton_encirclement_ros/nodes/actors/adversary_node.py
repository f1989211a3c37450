"""The adversary node: publishes its position, roams, keeps away from the target."""

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.ros_io.process.entry import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare

from soliton_encirclement_ros.actors.adversary import Adversary
from soliton_encirclement_ros.core.parameters.adversary_parameters import AdversaryParameters
from soliton_encirclement_ros.core.parameters.path_parameters import MemberPath
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.contradictions import adversary_warnings
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY,
    ADVERSARY_STATE,
    TARGET_STATE,
)
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.nodes.actors.node_path import path_flight


class AdversaryNode(ActorNode):
    """ROS node of an adversary actor."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin.

        Raises:
            ParameterError: A parameter is refused, or the scenario has no adversary.
        """
        super().__init__(ADVERSARY, ADVERSARY_STATE, (TARGET_STATE,), **options)
        parameters = declare(self, AdversaryParameters)
        if not parameters.adversary_enable:
            raise ParameterError(
                f'{self.get_fully_qualified_name()}: adversary_enable = false must be true in the '
                'node of the adversary; without one do not start it'
            )
        limits, path = declare(self, CommandLimits), declare(self, MemberPath)
        stream = random_stream(self.member.seed, ADVERSARY)
        flight = path_flight(self, path, ADVERSARY, limits, self.swarm.control_period)
        self._adversary = Adversary(parameters, self.swarm, stream, flight)
        self.follow(parameters, self._retune)
        self._warn_of(parameters)
        self.start(self._adversary)

    def _retune(self, parameters: AdversaryParameters) -> None:
        self._adversary.retune(parameters)
        self._warn_of(parameters)

    def _warn_of(self, parameters: AdversaryParameters) -> None:
        for line in adversary_warnings(parameters):
            self.get_logger().warning(line)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [AdversaryNode()], args, name=ADVERSARY)
