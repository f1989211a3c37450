"""Which names stand for propagation layers that do not come along, and the layers behind them."""

import functools

from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.laws.law_source import is_foreign
from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.laws.trial import try_layer
from soliton_encirclement_ros.core.laws.user_code import is_outside, load
from soliton_encirclement_ros.core.parameters.propagation_parameters import LAYER_NAMES

LAYER_GROUP = 'soliton_encirclement_ros.propagation_layers'
"""Entry points of packages that bring a layer: ``name = package.module:LAYER``."""


def is_foreign_layer(method: object) -> bool:
    """Say whether a name stands for a layer that does not come along."""
    return method not in LAYER_NAMES and is_outside(method, LAYER_GROUP)


def is_of_user(setup: Setup) -> bool:
    """Say whether an agent flies a law or a layer that does not come along."""
    return is_foreign(setup.control.controller) or is_foreign_layer(
        setup.propagation.propagation_method
    )


@functools.cache
def load_layer(method: str) -> Layer:
    """Return the layer of a user.

    Raises:
        LawError: It cannot be found, is none, or cannot fly; one line says what to mend.
    """
    layer = load(method, Layer, LAYER_GROUP)
    try_layer(layer, method)
    return layer
