"""The family of spin laws by name."""

from soliton_encirclement_ros.swarm.spin.rate_limited_spin import RATE_LIMITED_SPIN
from soliton_encirclement_ros.swarm.spin.soliton_v1_spin import SOLITON_V1_SPIN
from soliton_encirclement_ros.swarm.spin.spin_law import SpinLaw
from soliton_encirclement_ros.swarm.spin.two_channel_spin import TWO_CHANNEL_SPIN

SPIN_LAWS: dict[str, SpinLaw] = {
    'v1': SOLITON_V1_SPIN,
    'v3': TWO_CHANNEL_SPIN,
    'filtered': RATE_LIMITED_SPIN,
}
