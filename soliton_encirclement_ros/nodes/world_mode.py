"""How a simulated world runs."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter


@dataclass(frozen=True)
class WorldMode(Parameters):
    """Lockstep or real time, and who watches."""

    lockstep: bool = parameter(True, 'wait for every answer, else follow the clock')
    recorders: int = parameter(0, 'recorders that lockstep waits for', minimum=0)
    monitors: int = parameter(0, 'monitors that lockstep waits for', minimum=0)
    medium: bool = parameter(False, 'real time: carry what members say through the radio')
    enable_stamped_cmd_vel: bool = parameter(False, 'real time: take TwistStamped, not Twist')
    cmd_vel_timeout: float = parameter(
        0.5, 'real time: silence after which a body slows to a stop; 0: commands persist',
        unit='s', minimum=0.0,
    )  # fmt: skip
