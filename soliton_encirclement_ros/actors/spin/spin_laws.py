"""The family of spin laws by name."""

from soliton_encirclement_ros.actors.spin.rate_limited_spin import SPIN_FILTERED
from soliton_encirclement_ros.actors.spin.soliton_v1_spin import SPIN_V1
from soliton_encirclement_ros.actors.spin.spin_law import SpinLaw
from soliton_encirclement_ros.actors.spin.two_channel_spin import SPIN_V3

SPIN_LAWS: dict[str, SpinLaw] = {'v1': SPIN_V1, 'v3': SPIN_V3, 'filtered': SPIN_FILTERED}
