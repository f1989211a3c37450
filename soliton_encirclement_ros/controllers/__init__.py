"""Encirclement laws, one per file; ``law.py`` is their contract."""

import functools
from collections.abc import Callable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.controllers.soliton import PREDICTIVE, SOLITON
from soliton_encirclement_ros.controllers.soliton_v1 import SOLITON_V1
from soliton_encirclement_ros.controllers.splay import SPLAY
from soliton_encirclement_ros.controllers.turn_rate_laws import FRANCHI, KIM_SUGIE, WANG_XIE_CAO
from soliton_encirclement_ros.controllers.two_channel import two_channel
from soliton_encirclement_ros.core.laws.law import Decision, Law, Setup, View
from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.laws.telemetry import ESTIMATE_NAMES, FILTER_NAMES, Quantity
from soliton_encirclement_ros.propagation import LAYERS


class LawKind(NamedTuple):
    """A selectable law: it may depend on the propagation layer.

    ``law_with`` returns it with a layer of that name, the same object every time.
    """

    law_with: Callable[[str], Law]

    def law(self, setup: Setup) -> Law:
        """Return the law of a setup."""
        return self.law_with(setup.propagation.propagation_method)

    @property
    def telemetry_quantities(self) -> Mapping[str, Quantity]:
        """Unit and meaning of the recorded values, by name."""
        return self.law_with('baseline').telemetry

    @property
    def telemetry_names(self) -> tuple[str, ...]:
        """The names of the recorded values."""
        return tuple(self.telemetry_quantities)


CONTROLLERS = {
    'predictive': LawKind(lambda layer: PREDICTIVE),
    'soliton': LawKind(lambda layer: SOLITON),
    'two_channel': LawKind(functools.cache(lambda layer: two_channel(LAYERS.load(layer)))),
    'soliton_v1': LawKind(lambda layer: SOLITON_V1),
    'kim_sugie': LawKind(lambda layer: KIM_SUGIE),
    'franchi': LawKind(lambda layer: FRANCHI),
    'wang_xie_cao': LawKind(lambda layer: WANG_XIE_CAO),
    'splay': LawKind(lambda layer: SPLAY),
}
LAWS.update({name: kind.law_with('baseline') for name, kind in CONTROLLERS.items()})


def kind_of(controller: str) -> LawKind:
    """Return the law of a name; a user-written law is loaded.

    Raises:
        LawError: There is no such law.
    """
    if controller in CONTROLLERS:
        return CONTROLLERS[controller]
    law = LAWS.load(controller)
    return LawKind(lambda layer: law)


def recorded_names(
    controller: str, is_filtered: bool, is_estimated: bool = False
) -> tuple[str, ...]:
    """Return the names of the values that an agent publishes, after those of its body.

    Args:
        controller: Name of the law.
        is_filtered: Whether a filter changes the commands.
        is_estimated: Whether agents estimate the state of the target.
    """
    estimate = ESTIMATE_NAMES if is_estimated else ()
    return kind_of(controller).telemetry_names + estimate + (FILTER_NAMES if is_filtered else ())


__all__ = [
    'CONTROLLERS',
    'Decision',
    'Law',
    'Setup',
    'View',
    'kind_of',
    'recorded_names',
]
