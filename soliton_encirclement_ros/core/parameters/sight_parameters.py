"""A target that broadcasts nothing: what agents measure of it, and how they estimate its state."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

ESTIMATOR_NAMES = ('kalman', 'deghat')
"""The default, then the published one."""

UNSEEN = {'only_with': {'cooperative': False}}
"""For parameters without effect while the target broadcasts its state."""


@dataclass(frozen=True)
class SightParameters(Parameters):
    """Whether the target broadcasts its state; if not, the agents' cameras and their estimator.

    A camera is fixed to the airframe and looks along its forward axis. All deviations are standard
    deviations.
    """

    cooperative: bool = parameter(
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
