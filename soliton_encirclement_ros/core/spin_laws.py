"""The family of spin laws by name."""

from soliton_encirclement_ros.core.spin import SpinLaw
from soliton_encirclement_ros.core.spin_filtered import SPIN_FILTERED
from soliton_encirclement_ros.core.spin_v1 import SPIN_V1
from soliton_encirclement_ros.core.spin_v3 import SPIN_V3

SPIN_LAWS: dict[str, SpinLaw] = {'v1': SPIN_V1, 'v3': SPIN_V3, 'filtered': SPIN_FILTERED}
