"""What a recorder can be told."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter


@dataclass(frozen=True)
class RecorderParameters(Parameters):
    """What is recorded and where."""

    run_folder: str = parameter('', 'folder in which the bag is made')
    bag: str = parameter('', "the bag's own folder, where it is not BAG in run_folder")
    lockstep: bool = parameter(False, 'log at simulated time')
    join: bool = parameter(False, 'simulated time begins with the first /clock, whatever it says')
    include: str = parameter(
        '.*', 'regular expression of the topics to record; .*: those of the fleet, at the root all'
    )
    exclude: str = parameter(
        '/rosout|.*/heard|.*/swarm/followed',
        'regular expression of the topics to leave out',
    )
    max_file_size: float = parameter(
        0.0, 'size of a file after which the next is begun, 0: one file', unit='MB', minimum=0.0
    )
    durable: bool = parameter(False, 'wait for the disk, so that a power cut costs a second only')
