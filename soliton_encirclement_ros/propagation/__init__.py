"""Propagation of spacing errors along the ring, one layer per file."""

from soliton_encirclement_ros.core.laws.law_registry import LAYERS
from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.propagation.advection import ADVECTION
from soliton_encirclement_ros.propagation.alarm import ALARM
from soliton_encirclement_ros.propagation.baseline import BASELINE
from soliton_encirclement_ros.propagation.burgers import BURGERS
from soliton_encirclement_ros.propagation.excitable import EXCITABLE
from soliton_encirclement_ros.propagation.kdv import KDV
from soliton_encirclement_ros.propagation.wave import WAVE

LAYERS.update({
    'baseline': BASELINE,
    'advection': ADVECTION,
    'wave': WAVE,
    'excitable': EXCITABLE,
    'kdv': KDV,
    'alarm': ALARM,
    'burgers': BURGERS,
})

__all__ = ['LAYERS', 'Layer']
