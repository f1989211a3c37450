"""The family of spin laws by name."""

from soliton_encirclement_ros.core.spin import SpinLaw
from soliton_encirclement_ros.core.spin_filtered import SpinFiltered
from soliton_encirclement_ros.core.spin_v1 import SpinV1
from soliton_encirclement_ros.core.spin_v3 import SpinV3

SPIN_LAWS: dict[str, type[SpinLaw]] = {
    'v1': SpinV1,
    'v3': SpinV3,
    'filtered': SpinFiltered,
}
