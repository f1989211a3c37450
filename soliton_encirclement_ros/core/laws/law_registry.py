"""Laws and propagation layers by name: those that come along, and those of users."""

from collections import Counter
from collections.abc import Collection

from velocity_mobility_ros.core.plugins import Plugin, short_name

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law import Law, Setup
from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.laws.trial import try_law, try_layer

LAWS = Plugin(Law, LawError, 'soliton_encirclement_ros.laws', try_law)
"""Entry points: ``name = package.module:LAW``; ``two_channel`` is that without a layer."""

LAYERS = Plugin(Layer, LawError, 'soliton_encirclement_ros.propagation_layers', try_layer)
"""Entry points: ``name = package.module:LAYER``."""


def law_labels(controllers: Collection[str]) -> dict[str, str]:
    """Return the name of each law in tables: its short name, unless two laws share it."""
    counts = Counter(map(short_name, controllers))
    return {one: short_name(one) if counts[short_name(one)] == 1 else one for one in controllers}


def is_of_user(setup: Setup) -> bool:
    """Say whether an agent flies a law or a layer that does not come along."""
    own_layer = LAYERS.is_foreign(setup.propagation.propagation_method)
    return own_layer or LAWS.is_foreign(setup.control.controller)
