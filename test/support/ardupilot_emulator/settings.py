"""All that can be chosen of an emulated ArduCopter."""

from typing import NamedTuple


class ArduSettings(NamedTuple):
    """One vehicle; ArduPilot's parameters under their own names, in lower case.

    Attributes:
        latitude, longitude: True place of the start [deg, WGS84].
        altitude: Of the ground there [m].
        heading: From north, clockwise [rad].
        vehicle: Type of the body; the quadrotor takes longer to compute.
        seed: Of all random numbers.
        guid_timeout: Age of a velocity target from which on it stops [s].
        disarm_delay: Time after which it disarms if it has not taken off [s].
        spool_time: From arming until the motors can lift it [s].
        wpnav_speed, wpnav_speed_up, wpnav_speed_dn: Largest speeds [m/s].
        land_speed: Near the ground [m/s].
        rtl_alt: Height of the way home [m].
        service_delay: Shortest and longest time until a service answers [s].
        service_loss: Probability that a call gets no answer.
        passes_prearm: Whether it would arm.
        aided_after: Time until its estimator flies by its receiver; before, it would not arm in
            modes that need a position [s].
        home_offset: East and north of the start, where HOME is until it is armed [m].
    """

    latitude: float = 47.397742
    longitude: float = 8.545594
    altitude: float = 488.0
    heading: float = 0.0
    vehicle: str = 'kinematic'
    seed: int = 0
    guid_timeout: float = 3.0
    disarm_delay: float = 10.0
    spool_time: float = 2.0
    wpnav_speed: float = 10.0
    wpnav_speed_up: float = 2.5
    wpnav_speed_dn: float = 1.5
    land_speed: float = 0.5
    rtl_alt: float = 15.0
    service_delay: tuple[float, float] = (0.01, 0.06)
    service_loss: float = 0.0
    passes_prearm: bool = True
    aided_after: float = 0.0
    home_offset: tuple[float, float] = (7.0, -4.0)
