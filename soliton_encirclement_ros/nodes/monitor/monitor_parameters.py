"""Parameters of the monitor."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError

from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.parameters.run_parameters import IN_LOCKSTEP, IN_REAL_TIME


@dataclass(frozen=True)
class MonitorParameters(Parameters):
    """Input and output settings of the monitor."""

    lockstep: bool = parameter(False, 'collect messages by tick')
    ground_truth: bool = parameter(
        False, 'lockstep: metrics are those of ground_truth, which the world publishes',
        **IN_LOCKSTEP,
    )  # fmt: skip
    run_folder: str = parameter('', 'folder of tables and summary; empty: none')
    scenario_name: str = parameter('default', 'name of the scenario, for the summary')
    controller: str = parameter(CONTROLLER_NAMES[0], 'law of the agents')
    adversary_enable: bool = parameter(True, 'whether an adversary takes part')
    cooperative: bool = parameter(
        True, 'the target broadcasts its state; false: agents estimate it'
    )
    world: bool = parameter(True, 'a simulated world takes part; the run ends with it')
    watch_duration: float = parameter(
        0.0, 'without a world: duration of the run; 0: until stopped', unit='s', minimum=0.0,
        only_with={'world': False},
    )  # fmt: skip
    marker_period: float = parameter(0.2, 'time between two marker messages', unit='s', above=0.0)
    stamp_tolerance: float = parameter(
        2.0, 'real time: largest difference of a stamp from the clock', unit='s', above=0.0,
        **IN_REAL_TIME,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse lockstep without a world, and a summary without data."""
        super().__post_init__()
        if self.lockstep and not self.world:
            raise ParameterError(
                'world = false must be true in lockstep, whose ticks are those of a world; or '
                'set lockstep to false'
            )
        if not self.scenario_name:
            raise ParameterError("scenario_name = '' must name the scenario, for the summary")
