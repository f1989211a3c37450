"""Which names stand for propagation layers that do not come along, and the layers behind them."""

import functools

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.laws.user_code import is_outside, load
from soliton_encirclement_ros.core.parameters.propagation_parameters import LAYER_NAMES

LAYER_GROUP = 'soliton_encirclement_ros.propagation_layers'
"""Entry points of packages that bring a layer: ``name = package.module:LAYER``."""


def is_foreign_layer(method: object) -> bool:
    """Say whether a name stands for a layer that does not come along."""
    return method not in LAYER_NAMES and is_outside(method, LAYER_GROUP)


@functools.cache
def load_layer(method: str) -> Layer:
    """Return the layer of a user.

    Raises:
        LawError: It cannot be found or is none; one line says what to mend.
    """
    return load(method, Layer, LAYER_GROUP)
