"""The adversary node: publishes its position, roams, keeps away from the target."""

from soliton_encirclement_ros.core.parameters.target_parameters import AdversaryParameters
from soliton_encirclement_ros.core.scenario.contradictions import (
    adversary_warnings, without_sections
)
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, TARGET_STATE
)
from soliton_encirclement_ros.members.own_target import Adversary
from soliton_encirclement_ros.nodes.actors.actor_node import MoverNode
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare


class AdversaryNode(MoverNode):
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
        self.start_moving(parameters, Adversary)

    def doubts(self) -> list[str]:
        """Return which of its distances and speeds it cannot keep."""
        most = self._limits.max_speed_xy
        return without_sections(adversary_warnings(self._settings, most))


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [AdversaryNode()], args)
