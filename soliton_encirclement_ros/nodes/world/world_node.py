"""The simulated world: vehicles, medium and clock.

In lockstep it publishes the clock, the received states and every odometry of tick k, waits for
all answers, and moves the bodies on. In real time it moves them by the clock and publishes
odometry. Threading: one thread; the last answer of a tick triggers the next tick.
"""

from collections.abc import Callable

from soliton_encirclement_ros.core.parameters.renamed_parameters import renamed_parameters
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters, RunParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    PathChoices, SwarmParameters, VehicleChoices
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    ESTIMATOR_NAMES, AdversaryParameters
)
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.scenario.contradictions import radio_warnings, without_sections
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    PlanOptions, check_for_nodes, needs_medium
)
from soliton_encirclement_ros.core.states.swarm_topics import WORLD
from soliton_encirclement_ros.nodes.node_parameters import WorldMode, fleet_of_observer, world_line
from soliton_encirclement_ros.nodes.world.lockstep import Lockstep
from soliton_encirclement_ros.nodes.world.real_time import RealTime
from velocity_mobility_ros.core.velocity_model import (
    VEHICLE_NAMES, MobilityParameters, zero_limits
)
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import (
    declare, given, refuse_unknown, rename_given, warn_of_idle
)
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of


class WorldNode(PollingNode):
    """All simulated bodies of a run, driven by lockstep or by the clock."""

    def __init__(self, **options: object) -> None:
        """Declare parameters, place the bodies and begin.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(WORLD, **options)
        rename_given(self, renamed_parameters('target_sensing'))
        estimator = given(self, 'estimator', ESTIMATOR_NAMES[0])
        self.scenario = Scenario(
            run=declare(self, RunParameters),
            swarm=declare(self, SwarmParameters),
            mobility=declare(self, parameters_of(given(self, 'vehicle', VEHICLE_NAMES[0]))),
            vehicles=declare(self, VehicleChoices),
            paths=declare(self, PathChoices),
            radio=declare(self, RadioParameters),
            adversary=declare(self, AdversaryParameters),
            target_sensing=declare(self, record_of('target_sensing', estimator)),
        )
        self.mode = declare(self, WorldMode)
        self.fleet = fleet_of_observer(self, self.mode.lockstep)
        refuse_unknown(self)
        warn_of_idle(self, self.scenario.run, self.mode)
        check_for_nodes(self.scenario)
        self._warn_of_radio()
        self._mobility = self.scenario.mobility
        self.look_at_doubts()
        self.world = World(self.scenario, make_body=body_maker(self.scenario))
        self.follow(self.scenario.mobility, self._change_bodies)
        self.get_logger().info(world_line(self.scenario, self.mode, self.world.members))
        drive = Lockstep if self.mode.lockstep else RealTime
        self.drive = drive(self, self.fleet, self.scenario, self.world, self.mode)
        self.follow(self.scenario.run, self.drive.change_pace, self.drive.check_pace)

    def _change_bodies(self, mobility: MobilityParameters) -> None:
        self._mobility = mobility
        self.world.change_bodies(mobility)

    def doubts(self) -> list[str]:
        """Return warnings: limits of 0 that stop all vehicles, parameters without effect."""
        texts, decimation = zero_limits(self._mobility), self._mobility.telemetry_decimation
        if decimation == 1:
            return texts
        return [
            *texts,
            f'telemetry_decimation = {decimation} has no effect: a world publishes odometry at '
            'every control tick; it is for mobility_node',
        ]

    def _warn_of_radio(self) -> None:
        """Log that a radio is not simulated, or which members do not receive each other by it."""
        scenario, log = self.scenario, self.get_logger()
        options = PlanOptions(lockstep=self.mode.lockstep)
        if needs_medium(scenario, options) and not self.mode.medium:
            log.warning(
                'the parameters of the radio have no effect without medium = true, here and on '
                'the members: they receive each other directly'
            )
            return
        for line in without_sections(radio_warnings(scenario)):
            log.warning(line)

    @property
    def finished(self) -> bool:
        """Whether the run is over, and this node may end."""
        return self.drive.leaves

    @property
    def never_began(self) -> bool:
        """Whether the run is over because no member appeared."""
        return self.mode.lockstep and self.finished and self.world.tick == 0

    def close(self) -> None:
        """Log the result up to here."""
        self.drive.health.publish()


def body_maker(scenario: Scenario) -> Callable[..., Body]:
    """Return what makes bodies; machine code is loaded only where it is needed."""
    vehicles = map(scenario.vehicle_of, scenario.members)
    if not any(VEHICLES[vehicle.vehicle].is_costly for vehicle in vehicles):
        return Body
    from soliton_encirclement_ros.sim.compilation.compiled_motion import make_body

    return make_body


def main(args: list[str] | None = None) -> int:
    """Run the node; the exit code is 1 if no member appeared and no run began."""
    return run_nodes(
        lambda: [WorldNode()], args, conclude=lambda nodes: int(nodes[0].never_began)
    )
