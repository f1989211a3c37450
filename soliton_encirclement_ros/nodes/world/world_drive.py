"""What both modes of the world have in common: bodies, messages, transforms, diagnostics."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from rclpy.node import Node
from velocity_mobility_ros.ros_io.messages.tf import TransformPublisher
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, NodeDiagnostics

from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters, refuse_pace
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import SIMULATION, Fleet
from soliton_encirclement_ros.nodes.world.world_messages import WorldMessages
from soliton_encirclement_ros.nodes.world.world_mode import WorldMode


class WorldDrive(ABC):
    """Moves the bodies of a world; the subclass says when."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        scenario: Scenario,
        world: World,
        mode: WorldMode,
        now_ns: Callable[[], int] | None = None,
        transform_period: float = 0.0,
    ) -> None:
        """Begin to publish diagnostics; nothing moves yet.

        Args:
            node: The world's node.
            fleet: Its fleet.
            scenario: Parameters of the run.
            world: The bodies.
            mode: Parameters of the mode.
            now_ns: Time for the stamps of the diagnostics [ns]; the node's clock by default.
            transform_period: Shortest wall time [s] between two messages on ``/tf``.
        """
        self._node = node
        self._fleet = fleet
        self._scenario = scenario
        self._world = world
        self._mode = mode
        self._messages = WorldMessages(world, fleet, mode.odom_frame)
        self._transforms = TransformPublisher(node, mode.publish_tf, transform_period)
        self.health = NodeDiagnostics(
            node, SIMULATION, self.diagnostic_values, self.conditions, now_ns
        )
        self.finished = False

    @property
    def leaves(self) -> bool:
        """Whether the process is to end."""
        return self.finished

    def check_pace(self, before: RunParameters, after: RunParameters) -> None:
        """Refuse another pace: the clock sets it.

        Raises:
            ParameterError: Always; a drive that can go on at another pace overrides this.
        """
        refuse_pace(before, after)

    def change_pace(self, run: RunParameters) -> None:
        """Go on at another real-time factor."""
        del run

    @abstractmethod
    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""

    @abstractmethod
    def conditions(self) -> list[Condition]:
        """Return all present faults."""

    @abstractmethod
    def _missing(self) -> Sequence[str]:
        """Return the members that have not appeared yet; none once the run has begun."""
