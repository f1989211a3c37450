"""Which names stand for laws that do not come along, and the laws behind them."""

import functools
from collections import Counter
from collections.abc import Collection

from soliton_encirclement_ros.core.laws.law import Law
from soliton_encirclement_ros.core.laws.trial import try_law
from soliton_encirclement_ros.core.laws.user_code import is_outside, load, short_name
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES,
    PEER_NAMES,
    PREDICTIVE,
)

GROUP = 'soliton_encirclement_ros.laws'
"""Entry points of packages that provide a law: ``name = package.module:LAW``."""

CONTROLLERS = 'soliton_encirclement_ros.controllers'
OWN_RECORDS = {
    PREDICTIVE: f'{CONTROLLERS}.predictive:PREDICTIVE',
    **{name: f'{CONTROLLERS}.peers.{name}:{name.upper()}' for name in PEER_NAMES},
}
"""Laws that come along and have a record of their own parameters, and where each is."""


def has_own_parameters(controller: object) -> bool:
    """Return whether the law of this name has a record of its own parameters."""
    # A list in a scenario file is not a name, and cannot be looked up.
    return controller in tuple(OWN_RECORDS) or is_foreign(controller)


def is_foreign(controller: object) -> bool:
    """Say whether a controller's name stands for a law that does not come along."""
    return controller not in CONTROLLER_NAMES and is_outside(controller, GROUP)


def law_labels(controllers: Collection[str]) -> dict[str, str]:
    """Return the name of each law in tables: its short name, unless two laws share it."""
    counts = Counter(map(short_name, controllers))
    return {one: short_name(one) if counts[short_name(one)] == 1 else one for one in controllers}


@functools.cache
def load_law(controller: str) -> Law:
    """Return the law of a name: of a user, or one that comes along with its own parameters.

    Raises:
        LawError: It cannot be found, is not a law, or cannot fly; one line names the remedy.
    """
    law = load(OWN_RECORDS.get(controller, controller), Law, GROUP)
    if is_foreign(controller):
        try_law(law, controller)
    return law
