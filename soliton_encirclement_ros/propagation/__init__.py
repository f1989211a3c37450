"""Propagation of spacing errors along the ring, one layer per file."""

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.laws.layer_source import load_layer
from soliton_encirclement_ros.core.laws.user_code import whole_name
from soliton_encirclement_ros.propagation.advection import ADVECTION
from soliton_encirclement_ros.propagation.alarm import ALARM
from soliton_encirclement_ros.propagation.baseline import BASELINE
from soliton_encirclement_ros.propagation.burgers import BURGERS
from soliton_encirclement_ros.propagation.excitable import EXCITABLE
from soliton_encirclement_ros.propagation.kdv import KDV
from soliton_encirclement_ros.propagation.wave import WAVE

LAYERS = {
    'baseline': BASELINE,
    'advection': ADVECTION,
    'wave': WAVE,
    'excitable': EXCITABLE,
    'kdv': KDV,
    'alarm': ALARM,
    'burgers': BURGERS,
}


def layer_of(method: str) -> Layer:
    """Return a layer by name; a user's own layer is loaded from its file or module.

    Raises:
        LawError: There is no such layer.
    """
    return LAYERS[method] if method in LAYERS else load_layer(whole_name(method))


__all__ = ['LAYERS', 'Layer', 'layer_of']
