"""A spin law with its gains and its memory, as the target holds them."""

from soliton_encirclement_ros.core.ring.spin_laws import SpinGains, SpinLaw


class Spinning:
    """A law at work."""

    def __init__(self, law: SpinLaw, gains: SpinGains) -> None:
        """Start without memory."""
        self.law, self.gains = law, gains
        self.memory = law.rest(gains)

    def update(self, now: float, err: float, known: bool = True) -> float:
        """Return omega_ref [rad/s] for an error [rad] at a time [s]."""
        self.memory, omega = self.law.step(self.memory, now, err, known, self.gains)
        return omega
