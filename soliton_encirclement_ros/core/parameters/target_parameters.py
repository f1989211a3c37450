"""The target: motion, protected arc, rotation of the ring, what is seen of it; the adversary.

Of a target that broadcasts nothing agents measure bearings, and estimate its state.
"""

from dataclasses import dataclass
from typing import Any

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

AT_RANDOM: dict[str, Any] = {'only_with': {'target_motion': 'random'}}
WITH_SPIN: dict[str, Any] = {'only_with': {'target_swarm_spin_enable': True}}
FILTERED: dict[str, Any] = {
    'only_with': {**WITH_SPIN['only_with'], 'target_swarm_spin_law': 'filtered'},
}
SPIN_LAW_NAMES = ('v1', 'v3', 'filtered')
TARGET_MOTION_NAMES = ('random', 'constant')


@dataclass(frozen=True)
class TargetParameters(Parameters, live=True):
    """Motion of the target, and its requests to the ring."""

    target_motion: str = parameter('random', 'motion of the target', choices=TARGET_MOTION_NAMES)
    target_motion_heading_deg: float = parameter(
        0.0, 'constant motion: heading, counter-clockwise from east', unit='deg',
        only_with={'target_motion': 'constant'},
    )  # fmt: skip
    target_motion_period: float = parameter(
        1.0, 'time between two random directions', unit='s', minimum=1e-3,
        fixed='the period is counted from the start',
    )  # fmt: skip
    target_motion_speed_xy: float = parameter(5.0, 'speed of the target', unit='m/s', minimum=0.0)
    target_motion_boundary_xy: float = parameter(
        20.0, 'random motion: half the side of its square', unit='m', minimum=0.0, **AT_RANDOM
    )
    protection_angle_deg: float = parameter(
        360.0, 'angle covered by the agents', unit='deg', minimum=0.0, maximum=360.0
    )
    target_swarm_spin_enable: bool = parameter(False, 'rotate the ring towards the adversary')
    target_swarm_omega_ref: float = parameter(0.0, 'base angular rate of the ring', unit='rad/s')
    target_swarm_omega_pd_kp: float = parameter(1.0, 'spin gain', unit='1/s', **WITH_SPIN)
    target_swarm_omega_pd_kd: float = parameter(0.2, 'spin damping', **WITH_SPIN)
    target_swarm_omega_pd_max_abs: float = parameter(
        1.0, 'largest angular rate of the ring', unit='rad/s', above=0.0, **WITH_SPIN
    )
    target_swarm_spin_rho_min: float = parameter(
        0.05, 'smallest order parameter for a swarm direction', minimum=0.0, maximum=1.0,
        **WITH_SPIN,
    )  # fmt: skip
    target_swarm_spin_law: str = parameter(
        'filtered', 'spin law', choices=SPIN_LAW_NAMES,
        fixed='each spin law has its own kind of memory', **WITH_SPIN,
    )  # fmt: skip
    target_swarm_spin_filter: float = parameter(
        0.5, 'time constant of the filtered law', unit='s', minimum=0.0, **FILTERED
    )
    target_swarm_spin_max_rate: float = parameter(
        0.5, 'filtered law: largest change of the angular rate', unit='rad/s^2', above=0.0,
        **FILTERED,
    )  # fmt: skip
    edge_weight_always_fresh: bool = parameter(
        True, 'update the open arc at once when the number of agents changes'
    )


ESTIMATOR_NAMES = ('kalman', 'deghat')
"""The default, then the published one."""

UNSEEN: dict[str, Any] = {'only_with': {'target_broadcasts': False}}
"""For parameters without effect while the target broadcasts its state."""


@dataclass(frozen=True)
class TargetSensingParameters(Parameters):
    """Whether the target broadcasts its state; if not, the agents' cameras and their estimator.

    A camera is fixed to the airframe and looks along its forward axis. All deviations are standard
    deviations.
    """

    target_broadcasts: bool = parameter(
        True, 'the target broadcasts its state; false: agents measure its bearing and estimate it'
    )
    estimator: str = parameter(
        ESTIMATOR_NAMES[0], 'estimator of the target', choices=ESTIMATOR_NAMES,
        fixed='each estimator has its own kind of memory', **UNSEEN,
    )  # fmt: skip
    bearing_noise_deg: float = parameter(
        2.0, 'noise of a bearing, along each of two axes across the line of sight', unit='deg',
        minimum=0.0, maximum=90.0, **UNSEEN,
    )  # fmt: skip
    range_noise: float | None = parameter(
        None, 'noise of the range; none: no range is measured', unit='m', minimum=0.0, **UNSEEN
    )
    bearing_rate: float = parameter(
        10.0, 'measurements per second; rounded to whole control periods', unit='Hz', above=0.0,
        **UNSEEN,
    )  # fmt: skip
    field_of_view_deg: float = parameter(
        360.0, 'full angle of the cone around the forward axis in which the target is seen',
        unit='deg', above=0.0, maximum=360.0, **UNSEEN,
    )  # fmt: skip
    sensor_range: float = parameter(
        200.0, 'largest distance at which the target is seen', unit='m', above=0.0, **UNSEEN
    )
    blind_agents: str = parameter('', 'agents without a camera, such as "2 5"', **UNSEEN)
    estimate_hold_time: float = parameter(
        3.0, 'time without any bearing, own or received, after which an estimate is dropped',
        unit='s', above=0.0, **UNSEEN,
    )  # fmt: skip
    ring_omega_ref: float = parameter(
        0.0, 'angular rate of the ring, counter-clockwise positive', unit='rad/s', **UNSEEN
    )


WITH_ADVERSARY: dict[str, Any] = {'only_with': {'adversary_enable': True}}


@dataclass(frozen=True)
class AdversaryParameters(Parameters, live=True):
    """Motion of the adversary."""

    adversary_enable: bool = parameter(
        True, 'simulate an adversary', fixed='it selects the nodes that start'
    )
    adversary_roam_bound_xy: float = parameter(
        40.0,
        'half the side of its square',
        unit='m',
        above=0.0,
        **WITH_ADVERSARY,
    )
    adversary_min_target_distance: float = parameter(
        30.0, 'smallest distance to the target', unit='m', minimum=0.0, **WITH_ADVERSARY
    )
    adversary_roam_speed_xy: float = parameter(
        4.0, 'speed', unit='m/s', minimum=0.0, **WITH_ADVERSARY
    )
