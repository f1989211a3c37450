"""A simulation of gradysim, the peer whose mobility model is ours: bodies and no brains.

Its event loop moves every node with its dynamic velocity mobility handler; the protocols do
nothing. It is what any simulation with it costs at least.
"""

from collections.abc import Callable

from gradysim.protocol.interface import IProtocol
from gradysim.simulator.handler.mobility.dynamic_velocity import (
    DynamicVelocityMobilityConfiguration, DynamicVelocityMobilityHandler
)
from gradysim.simulator.simulation import SimulationBuilder, SimulationConfiguration

from soliton_encirclement_ros.core.scenario.placement import initial_positions
from soliton_encirclement_ros.core.scenario.scenario import Scenario


class Idle(IProtocol):
    """A protocol that does nothing."""

    def initialize(self) -> None:
        """Do nothing."""

    def handle_timer(self, timer: str) -> None:
        """Do nothing."""

    def handle_packet(self, message: str) -> None:
        """Do nothing."""

    def handle_telemetry(self, telemetry: object) -> None:
        """Do nothing."""

    def finish(self) -> None:
        """Do nothing."""


def build(scenario: Scenario, telemetry: bool) -> Callable[[], None]:
    """Place the agents of a scenario; return what simulates them from beginning to end.

    Args:
        scenario: How many bodies, of what kind, how long.
        telemetry: Whether every node gets its position at every control tick.
    """
    updates = scenario.ticks * scenario.substeps
    samples = scenario.ticks * scenario.run.num_agents if telemetry else 0
    # The log lines of every event are off: they take most of the time.
    settings = SimulationConfiguration(max_iterations=updates + samples, execution_logging=False)
    builder = SimulationBuilder(settings)
    builder.add_handler(DynamicVelocityMobilityHandler(_body(scenario, telemetry)))
    for position in initial_positions(scenario).values():
        builder.add_node(Idle, position)
    return builder.build().start_simulation


def _body(scenario: Scenario, telemetry: bool) -> DynamicVelocityMobilityConfiguration:
    body = scenario.mobility
    return DynamicVelocityMobilityConfiguration(
        body.update_rate,
        body.max_speed_xy,
        body.max_speed_z,
        body.max_acc_xy,
        body.max_acc_z,
        body.tau_xy,
        body.tau_z,
        send_telemetry=telemetry,
        telemetry_decimation=scenario.substeps,
    )
