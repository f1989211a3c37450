"""Contracts of laws and propagation layers; authors import from here what theirs needs."""

from soliton_encirclement_ros.core.laws.law import FIELDS, U_SS, U, message_value, nearest
from soliton_encirclement_ros.core.laws.law_making import (
    LawParameters, SpacingMessage, decided, make_law
)
from soliton_encirclement_ros.core.laws.layer import make_layer
from soliton_encirclement_ros.core.ring.ring_geometry import length
from velocity_mobility_ros.core.parameter_declaration import parameter

__all__ = [
    'FIELDS',
    'U_SS',
    'LawParameters',
    'SpacingMessage',
    'U',
    'decided',
    'length',
    'make_law',
    'make_layer',
    'message_value',
    'nearest',
    'parameter',
]
