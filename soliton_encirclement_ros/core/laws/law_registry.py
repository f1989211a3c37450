"""Laws and propagation layers by name: those that come along, and those of users.

Tries a user's law, layer or estimator on one example, before anything flies with it.

Found here are results that are none, code that cannot run at all, and code whose result depends
on more than its inputs: random numbers, the clock, or a state of its own.
"""

import inspect
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law import (
    COMMON_FIELDS, Law, RingView, Setup, TargetView, U, View
)
from soliton_encirclement_ros.core.laws.law_fault import (
    NOTHING_WANTED, raised_text, stop_clock, within_limit, wrong_record, wrong_result
)
from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.laws.record_rows import Record, packing
from velocity_mobility_ros.core.parameter_declaration import Parameters
from velocity_mobility_ros.core.plugins import Plugin, short_name
from velocity_mobility_ros.core.user_errors import ParameterError

RADIUS = 20.0
ANGLES = (0.3, 2.2, 4.5)
RETURNS = {'reset': 'memory', 'on_neighbour_change': 'state'}
"""Results of functions that are not named after their result."""

MISTAKES = (AttributeError, ImportError, NameError, TypeError)
"""Errors that come from how code is written; others may come from the example."""


def try_law(law: Law, name: str) -> None:
    """Let a law decide once for one of three agents.

    Raises:
        LawError: It cannot fly; one line says why.
    """
    _try_defaults(name, law.parameters)
    _try(
        name, law.step, lambda: (law.gains(Setup()), law.rest, example_view(law)),
        {'memory': law.rest, 'message': law.no_message, 'decision': NOTHING_WANTED},
    )  # fmt: skip
    _try_part(name, 'reset', law.reset, (law.rest,), law.rest)


def try_layer(layer: Layer, name: str) -> None:
    """Let a layer pass a signal on once.

    Raises:
        LawError: It cannot be flown; one line says why.
    """
    _try_defaults(name, layer.parameters)
    quiet = layer.no_message
    gains = layer.gains(Setup().propagation)
    _try(
        name, layer.step, lambda: (layer.rest, 0.1, 0.05, quiet, quiet, gains),
        {'state': layer.rest, 'signal': 0.0},
    )  # fmt: skip
    _try_part(name, 'message', layer.message, (layer.rest,), quiet)
    _try_part(name, 'signal', layer.signal, (layer.rest, gains), 0.0)
    change = layer.on_neighbour_change
    _try_part(name, 'on_neighbour_change', change, (layer.rest,), layer.rest)


def try_estimator(estimator: Any, name: str, setup: Any, view: Any, no_estimate: Record) -> None:
    """Let an estimator estimate once.

    Raises:
        LawError: It cannot fly; one line says why.
    """
    _try_defaults(name, estimator.parameters)
    _try(
        name, estimator.step, lambda: (estimator.gains(setup), estimator.rest, view),
        {'memory': estimator.rest, 'message': estimator.no_message, 'estimate': no_estimate},
    )  # fmt: skip


def example_view(law: Law) -> View:
    """Return the inputs of the first of three agents on a ring."""
    size = U + packing(law.no_message, COMMON_FIELDS).size
    places = [(RADIUS * math.cos(angle), RADIUS * math.sin(angle)) for angle in ANGLES]
    states = tuple((x, y, 0.0, 1.0, 0.0, 0.0, *[0.0] * (size - U + 3)) for x, y in places)
    count = len(ANGLES)
    ring = RingView(
        count, 0, tuple(range(1, count + 1)), ANGLES, (0.0,) * count, (1.0,) * count,
        tuple(range(count)), states,
    )  # fmt: skip
    target = TargetView(1, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0, 0.1, True)
    x, y = places[0]
    return View(10.0, 1, (x, y, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0, target, ring, 0.05)


def _try_defaults(name: str, parameters: type[Parameters] | None) -> None:
    if parameters is None:
        return
    try:
        parameters()
    except ParameterError as error:
        raise LawError(f'{name}{_class_line(parameters)}: the default {error}') from None


def _try(
    name: str, step: Callable, arguments: Callable[[], tuple], examples: Mapping[str, Record]
) -> None:
    """Call a step twice with the same inputs."""
    once = _called(name, step, arguments)
    if not once:
        return
    if wrong := wrong_result(once[0], dict(examples)):
        raise LawError(f'{name}{_line(step)}: {step.__name__} {wrong}')
    again = _called(name, step, arguments)
    if repr(once) != repr(again):
        raise LawError(
            f'{name}{_line(step)}: gives two results for the same inputs: it must depend on '
            'nothing but its arguments: no random numbers, no clock, no variables that it changes'
        )


def _try_part(name: str, part: str, function: Callable, arguments: tuple, example: Record) -> None:
    """Call another function of the author."""
    result = _called(name, function, lambda: arguments)
    if result and (wrong := wrong_record(result[0], example, RETURNS.get(part, part))):
        raise LawError(f'{name}{_line(function)}: {part} returned {wrong}')


def _class_line(kind: type) -> str:
    """Return the line at which a class begins, as ``:12``."""
    try:
        return f':{inspect.getsourcelines(kind)[1]}'
    except OSError:  # its file is gone, or it has none
        return ''


def _line(function: Callable) -> str:
    """Return the line at which a function begins, as ``:12``."""
    code = getattr(function, '__code__', None)
    return f':{code.co_firstlineno}' if code else ''


def _called(name: str, function: Callable, arguments: Callable[[], tuple]) -> list[object]:
    """Return the result in a list, none if the code raised what may be due to the example."""
    try:
        return [within_limit(lambda: function(*arguments()))]
    except MISTAKES as error:
        raise LawError(f'{name}: {raised_text(error, function)}') from None
    except Exception:  # in flight it is reported with the agent and the time
        return []
    except BaseException as error:
        raise LawError(f'{name}: {raised_text(error, function)}') from None
    finally:
        stop_clock()


LAWS = Plugin(Law, LawError, 'soliton_encirclement_ros.laws', try_law)
"""Entry points: ``name = package.module:LAW``; ``two_channel`` is that without a layer."""

LAYERS = Plugin(Layer, LawError, 'soliton_encirclement_ros.propagation_layers', try_layer)
"""Entry points: ``name = package.module:LAYER``."""


def law_labels(controllers: Collection[str]) -> dict[str, str]:
    """Return the name of each law in tables: its short name, unless two laws share it."""
    counts = Counter(map(short_name, controllers))
    return {law: short_name(law) if counts[short_name(law)] == 1 else law for law in controllers}


def is_of_user(setup: Setup) -> bool:
    """Say whether an agent flies a law or a layer that does not come along."""
    own_layer = LAYERS.is_foreign(setup.propagation.propagation_method)
    return own_layer or LAWS.is_foreign(setup.control.controller)
