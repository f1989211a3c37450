"""Paths of members, and how they are flown."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter


@dataclass(frozen=True)
class PathParameters(Parameters):
    """How paths are flown; the same for all members."""

    path_max_speed: float | None = parameter(
        None, 'largest speed on a path; none: what the vehicle can follow', unit='m/s', above=0.0
    )
    path_max_acceleration: float | None = parameter(
        None, 'largest acceleration on a path; none: what the vehicle can follow', unit='m/s^2',
        above=0.0,
    )  # fmt: skip
    path_cruise_speed: float | None = parameter(
        None, 'speed on a path where no timed point is ahead; none: the largest one', unit='m/s',
        above=0.0,
    )  # fmt: skip
    path_gain: float = parameter(
        1.0, 'speed per distance from the place on the path', unit='1/s', minimum=0.0
    )
    path_leash: float = parameter(
        2.0, 'distance from the place on the path at which it waits for the vehicle', unit='m',
        above=0.0,
    )  # fmt: skip


@dataclass(frozen=True)
class PathChoices(PathParameters):
    """Path files of single members; empty: they move as their sections say."""

    target_path: str = parameter(
        '', 'path of the target: a CSV or YAML file, or a recorded run such as runs/latest#target'
    )
    adversary_path: str = parameter('', 'the same of the adversary')
    agent_paths: str = parameter(
        '',
        'paths of some agents, such as "a.csv: 2 3; b.yaml: 5"; their laws take over at the end',
    )


@dataclass(frozen=True)
class MemberPath(PathParameters):
    """The path of one member."""

    path: str = parameter(
        '', 'path to fly: a CSV or YAML file, or a recorded run such as runs/latest#target'
    )
