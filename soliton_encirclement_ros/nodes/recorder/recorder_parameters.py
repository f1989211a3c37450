"""Parameters of the recorder."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError, shown

from soliton_encirclement_ros.core.parameters.run_parameters import IN_LOCKSTEP, IN_REAL_TIME

SMALLEST_FILE = 0.001
"""MB: every file has a header and an index of its own."""

LARGEST_FILE = 1e6

RELIABILITIES = ('offered', 'best_effort')
"""A reliable reader costs each publisher a thread switch per message, to track what has arrived.

Between processes of one computer nothing gets lost that would have to be repeated.
"""


@dataclass(frozen=True)
class RecorderParameters(Parameters):
    """Recorded topics and output."""

    run_folder: str = parameter('', 'run folder; a bag is added to those that are in it')
    bag: str = parameter('', 'new folder of the bag, instead of run_folder')
    lockstep: bool = parameter(False, 'log times are simulated time')
    join: bool = parameter(
        False, 'simulated time begins at the first /clock message, not at 0', **IN_LOCKSTEP
    )
    include: str = parameter(
        '.*', 'regular expression of recorded topics; .*: all of the fleet, at the root all'
    )
    exclude: str = parameter(
        '/rosout|.*/received_states|.*/swarm/observer_progress',
        'regular expression of excluded topics',
    )
    max_file_size: float = parameter(
        0.0, 'largest size of a bag file; 0: one file', unit='MB', minimum=0.0,
        maximum=LARGEST_FILE,
    )  # fmt: skip
    stream_reliability: str = parameter(
        RELIABILITIES[0], 'what is requested for odom, cmd_vel and telemetry: what their '
        'publishers offer, or best_effort, for many agents on this computer',
        choices=RELIABILITIES, **IN_REAL_TIME,
    )  # fmt: skip
    durable: bool = parameter(False, 'sync to disk once a second, for power cuts')

    def __post_init__(self) -> None:
        """Refuse two folders, and a size that rounds to 0, which would mean one file."""
        super().__post_init__()
        if self.bag and self.run_folder:
            raise ParameterError(
                f'bag = {shown(self.bag)} and run_folder = {shown(self.run_folder)} both '
                'set the folder of the bag; leave one of them empty'
            )
        if 0.0 < self.max_file_size < SMALLEST_FILE:
            raise ParameterError(
                f'max_file_size = {self.max_file_size} must be 0 (one file) or at least '
                f'{SMALLEST_FILE:g} MB'
            )
