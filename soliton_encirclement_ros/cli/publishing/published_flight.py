"""A simulation that is published: ROS is started before it, and ended after it."""

from collections.abc import Collection

import rclpy
from rclpy.executors import Executor
from rclpy.logging import LoggingSeverity, set_logger_level
from rclpy.signals import SignalHandlerOptions
from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.ros_io.process.entry import keep_for_good, release
from velocity_mobility_ros.ros_io.process.executor import make_executor
from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
from velocity_mobility_ros.ros_io.process.teardown import destroy, end_if_stuck, shut_down

from soliton_encirclement_ros.cli.processes.neighbour_search import refuse_neighbours
from soliton_encirclement_ros.cli.publishing.flight_node import FlightNode
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from soliton_encirclement_ros.sim.real_time_pace import RealTimePace


class PublishedFlight:
    """The node of a flight, and the pace at which it flies."""

    def __init__(
        self, scenario: Scenario, fleet: Fleet, external: Collection[str] = ()
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            scenario: What is flown.
            fleet: Names of the swarm.
            external: Members that fly elsewhere.
        """
        self._scenario, self._fleet, self._external = scenario, fleet, external
        self.pace = RealTimePace(scenario.swarm.control_period, self._serve)
        self._executor: Executor | None = None
        self._nodes: list[FlightNode] = []

    @property
    def node(self) -> FlightNode:
        """The node."""
        return self._nodes[0]

    def start(self) -> None:
        """Start ROS and the node.

        Raises:
            RunError: Another swarm uses the same namespace of the same domain.
            ShortageError: There is too little memory, or there are no threads left.
            StartupError: ROS, or the node, cannot start.
        """
        try:
            with one_line_errors():
                self._start()
        except MobilityError:
            self.end()
            raise

    def _start(self) -> None:
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        set_logger_level('', LoggingSeverity.WARN)  # the display shows the rest
        refuse_neighbours(self._fleet, self._external)
        self._executor = make_executor()
        self._nodes.append(FlightNode(self._scenario, self._fleet, self._external))
        self._executor.add_node(self.node)
        keep_for_good()

    def end(self) -> None:
        """End node and ROS."""
        services = 2 * self._scenario.run.num_agents
        with end_if_stuck(services):
            if self._executor is not None:
                release(self._executor, self._nodes)
            destroy(self._nodes)
            set_logger_level('', LoggingSeverity.INFO)
            shut_down()

    def _serve(self, seconds: float) -> None:
        self.node.serve(self._executor, seconds)
