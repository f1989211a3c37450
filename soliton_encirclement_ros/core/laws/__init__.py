"""The contract of an encirclement law; from here an author imports what a law needs."""

from velocity_mobility_ros.core.parameters import parameter

from soliton_encirclement_ros.core.laws.law_making import (
    LawParameters,
    SpacingMessage,
    decided,
    make_law,
)
from soliton_encirclement_ros.core.laws.ring_messages import nearest
from soliton_encirclement_ros.core.ring.plane import length

__all__ = [
    'LawParameters',
    'SpacingMessage',
    'decided',
    'length',
    'make_law',
    'nearest',
    'parameter',
]
