"""Whether it stands: three steps, each after some time on the ground with downward thrust."""

CONTACT_TIME, MAYBE_TIME, LANDED_TIME = 0.35, 0.6, 1.0
"""Times of a steady condition until each step [s]."""

FREEFALL = 2.0
"""Sink speed without thrust [m/s] that counts as free fall."""


class LandDetector:
    """Reads whether the setpoint presses down; any other setpoint starts it anew."""

    def __init__(self) -> None:
        self._pressed = LANDED_TIME
        self.freefall = False

    @property
    def ground_contact(self) -> bool:
        return self._pressed >= CONTACT_TIME

    @property
    def maybe_landed(self) -> bool:
        return self._pressed >= MAYBE_TIME

    @property
    def landed(self) -> bool:
        return self._pressed >= LANDED_TIME

    def step(self, dt: float, stands: bool, presses: bool) -> None:
        """Count.

        Args:
            dt: Time since the last call [s].
            stands: Whether it is on the ground.
            presses: Whether its motors are off, or it is told to go down.
        """
        if not stands:
            self._pressed = 0.0
        elif not self.landed:
            self._pressed = self._pressed + dt if presses else 0.0
