"""The adversary: says where it is, roams, keeps away from the target."""

from velocity_mobility_ros.ros_io.entry import run_nodes
from velocity_mobility_ros.ros_io.parameters import declare

from soliton_encirclement_ros.actors.adversary import Adversary
from soliton_encirclement_ros.core.parameters import AdversaryParameters
from soliton_encirclement_ros.core.random_streams import random_stream
from soliton_encirclement_ros.core.topics import ADVERSARY, ADVERSARY_STATE, TARGET_STATE
from soliton_encirclement_ros.nodes.member import MemberNode


class AdversaryNode(MemberNode):
    """An adversary actor at the border to ROS."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin."""
        super().__init__(ADVERSARY, ADVERSARY_STATE, (TARGET_STATE,), **options)
        parameters = declare(self, AdversaryParameters)
        stream = random_stream(self.member.seed, ADVERSARY)
        adversary = Adversary(parameters, self.swarm, stream)
        self.follow(parameters, adversary.retune)
        self.start(adversary)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [AdversaryNode()], args, name=ADVERSARY)
